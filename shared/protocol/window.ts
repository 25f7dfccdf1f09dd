/** Id of an admin window for the server. A change made in a window is no news for that window, but for all others. */
import { z } from 'zod';

/** The header in the window's requests. */
export const WINDOW_HEADER = 'X-Vitrine-Window';

/** Chosen randomly when the window opens. */
export const WindowId = z.string().regex(/^[\w-]{1,40}$/);
