import { app, common, nav, problem } from './en/common.ts';
import { firstSteps, screen, screens } from './en/screens.ts';
import { selection } from './en/selection.ts';

/**
 * Texts of the first load: the frame and the screens page. All other texts are loaded with the next page (i18n.ts).
 */
export const first = {
  app,
  common,
  firstSteps,
  nav,
  problem,
  screen,
  screens,
  selection,
};
