export { app, common, nav, problem } from './de/common.ts';
export { firstSteps, screen, screens } from './de/screens.ts';
export { bulk, selection } from './de/selection.ts';
export { palette, uploads } from './de/window.ts';
