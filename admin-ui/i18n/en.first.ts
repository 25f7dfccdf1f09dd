import { app, common, nav, problem } from './en/common.ts';
import { firstSteps, screen, screens } from './en/screens.ts';
import { selection } from './en/selection.ts';

/**
 * What is said before anybody has gone anywhere: the frame and the wall of screens. The rest comes with the first other
 * place (i18n.ts).
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
