import { getKioskPage, listKioskPages } from '../../shared/contract/kiosk.ts';
import { queryOf, recordQueryOf } from './query.ts';

export const kioskPagesQuery = queryOf(['kiosk', 'list'], listKioskPages);

export const kioskPageQuery = (id: string) => recordQueryOf(['kiosk', 'one', id], getKioskPage, id, 'page');

/** Where a kiosk page is. Widgets name it without a host: it is this server's, whatever that is called. */
export const kioskPath = (id: string): string => `/api/kiosk/${id}/render`;
export const kioskIdOf = (url: string): string | undefined =>
  /^(?:https?:\/\/[^/]+)?\/api\/kiosk\/([^/?#]+)\/render(?:[?#]|$)/i.exec(url)?.[1];
