/**
 * Id of an admin window for the server. The server does not notify an admin window about its own changes, only the
 * other admin windows.
 */
import { z } from 'zod';

/** Name of the header in the requests of an admin window. */
export const WINDOW_HEADER = 'X-Vitrine-Window';

/** Id of this admin window, chosen randomly when the window opens. */
export const WindowId = z.string().regex(/^[\w-]{1,40}$/);
