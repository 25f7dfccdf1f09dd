import { app, common, nav, problem } from './de/common.ts';
import { firstSteps, screen, screens } from './de/screens.ts';
import { selection } from './de/selection.ts';
import { palette, uploads } from './de/window.ts';
import type { FirstTexts } from './texts.ts';

export const first: FirstTexts = {
  app,
  common,
  firstSteps,
  nav,
  palette,
  problem,
  screen,
  screens,
  selection,
  uploads,
};
