/**
 * What is said before anybody has gone anywhere: the frame and the wall of screens. The rest comes with the first other
 * place (i18n.ts).
 */
export { app, common, nav, problem } from './en/common.ts';
export { firstSteps, screen, screens } from './en/screens.ts';
export { bulk, selection } from './en/selection.ts';
export { palette, uploads } from './en/window.ts';
