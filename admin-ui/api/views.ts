import { exportDevices } from '../../shared/contract/screens/devices.ts';
import { listViews } from '../../shared/contract/screens/views.ts';
import { ownLanguage } from '../i18n/language.ts';
import { client } from './requests/client.ts';
import { download } from './requests/download.ts';
import { queryOf } from './requests/query.ts';

export const viewsQuery = queryOf(['views', 'list'], listViews);

/** Downloads the screens that match a filter as a table, for use in other programs. */
export const downloadScreens = (query: Record<string, string | undefined>): Promise<void> =>
  download(client.url(exportDevices, {}, { ...query, language: ownLanguage() }), 'screens.csv');
