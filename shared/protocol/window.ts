/**
 * Id of an admin window. When an admin window changes something, the server notifies all admin windows except the one
 * with this id.
 */
import { z } from 'zod';

/** Name of the header in the requests of an admin window. */
export const WINDOW_HEADER = 'X-Vitrine-Window';

/** Id of this admin window, chosen randomly when the window opens. */
export const WindowId = z.string().regex(/^[\w-]{1,40}$/);
