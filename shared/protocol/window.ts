/** An admin window names itself to the server: what is done in it is no news there, and news in every other. */
import { z } from 'zod';

/** The header of its requests. */
export const WINDOW_HEADER = 'X-Vitrine-Window';

/** Chosen by the window, at random, as it opens. */
export const WindowId = z.string().regex(/^[\w-]{1,40}$/);
