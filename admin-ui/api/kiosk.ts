import { getKioskPage, listKioskPages } from '../../shared/contract/content/kiosk.ts';
import { queryOf, recordQueryOf } from './requests/query.ts';

export const kioskPagesQuery = queryOf(['kiosk', 'list'], listKioskPages);

export const kioskPageQuery = (id: string) => recordQueryOf(['kiosk', 'one', id], getKioskPage, id, 'page');

/**
 * Returns the path of a kiosk page. Widgets link to the path without a host, since the page is on the same server.
 */
export const kioskPath = (id: string): string => `/api/kiosk/${id}/render`;
export const kioskIdOf = (url: string): string | undefined =>
  /^(?:https?:\/\/[^/]+)?\/api\/kiosk\/([^/?#]+)\/render(?:[?#]|$)/i.exec(url)?.[1];
