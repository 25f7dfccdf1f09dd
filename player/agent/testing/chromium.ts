/** The browser for tests, if this machine has one. VITRINE_BROWSER selects another. */
import { findBrowser, thisMachine } from '../browser/browser-find.ts';

/** Browser name for the error message if no browser was found. */
export const CHROMIUM = (await findBrowser(thisMachine())) ?? 'chromium';
