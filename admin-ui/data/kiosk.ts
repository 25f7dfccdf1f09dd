import { getKioskPage, listKioskPages } from '../../shared/contract/kiosk.ts';
import { queryOf, recordQueryOf } from './query.ts';

export const kioskPagesQuery = queryOf(['kiosk', 'list'], listKioskPages);

export const kioskPageQuery = (id: string) => recordQueryOf(['kiosk', 'one', id], getKioskPage, id, 'page');

/**
 * Path of a kiosk page. Widgets use the path without a host, because the page is on this server under any host name.
 */
export const kioskPath = (id: string): string => `/api/kiosk/${id}/render`;
export const kioskIdOf = (url: string): string | undefined =>
  /^(?:https?:\/\/[^/]+)?\/api\/kiosk\/([^/?#]+)\/render(?:[?#]|$)/i.exec(url)?.[1];
