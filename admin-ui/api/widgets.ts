import { getWidget, listWidgets } from '../../shared/contract/content/widgets.ts';
import { queryOf, recordQueryOf } from './requests/query.ts';

export const widgetsQuery = queryOf(['widgets', 'list'], listWidgets);

export const widgetQuery = (id: string) => recordQueryOf(['widgets', 'one', id], getWidget, id, 'widget');
