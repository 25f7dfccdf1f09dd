import { account } from './de/account.ts';
import { app, common, nav, problem } from './de/common.ts';
import { content, uploads } from './de/content.ts';
import { draft, layout, layouts } from './de/layouts.ts';
import { playlist, playlists } from './de/playlists.ts';
import { reports } from './de/reports.ts';
import { firstSteps, screen, screens } from './de/screens.ts';
import { schedule } from './de/schedule.ts';
import { invite, palette, people, settings, tokens, workspaces } from './de/settings.ts';
import { register, setUp, signIn } from './de/signIn.ts';
import type { Texts } from './texts.ts';

export const de: Texts = {
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
