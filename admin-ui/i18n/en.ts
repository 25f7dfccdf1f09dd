import { account } from './en/account.ts';
import { app, common, nav, problem } from './en/common.ts';
import { content, uploads } from './en/content.ts';
import { draft, layout, layouts } from './en/layouts.ts';
import { playlist, playlists } from './en/playlists.ts';
import { reports } from './en/reports.ts';
import { firstSteps, screen, screens } from './en/screens.ts';
import { schedule } from './en/schedule.ts';
import { invite, palette, people, settings, tokens, workspaces } from './en/settings.ts';
import { register, setUp, signIn } from './en/signIn.ts';

/** Every text of the window. What German must have follows from it (texts.ts). */
export const en = {
  account,
  app,
  common,
  content,
  draft,
  firstSteps,
  invite,
  layout,
  layouts,
  nav,
  palette,
  people,
  playlist,
  playlists,
  problem,
  register,
  reports,
  schedule,
  screen,
  screens,
  settings,
  setUp,
  signIn,
  tokens,
  uploads,
  workspaces,
};
