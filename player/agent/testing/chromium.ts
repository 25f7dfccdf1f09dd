/** The browser in which tests look, where this machine has it. VITRINE_BROWSER names another. */
import { findBrowser, thisMachine } from '../browser-find.ts';

/** What is started where there is none: that it is missing is then what the failure says. */
export const CHROMIUM = (await findBrowser(thisMachine())) ?? 'chromium';
