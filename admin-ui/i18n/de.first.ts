import { app, common, nav, problem } from './de/common.ts';
import { firstSteps, screen, screens } from './de/screens.ts';
import { selection } from './de/selection.ts';
import type { FirstTexts } from './texts.ts';

export const first: FirstTexts = {
  app,
  common,
  firstSteps,
  nav,
  problem,
  screen,
  screens,
  selection,
};
