/** The browser for tests, if this machine has one. VITRINE_BROWSER selects another. */
import { findBrowser, thisMachine } from '../browser/browser-find.ts';

/** Default name if no browser was found, so that the failure message names it. */
export const CHROMIUM = (await findBrowser(thisMachine())) ?? 'chromium';
