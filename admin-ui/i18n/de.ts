import { about } from './de/about.ts';
import { account } from './de/account.ts';
import { activity } from './de/activity.ts';
import { app, common, form, nav, problem } from './de/common.ts';
import { content } from './de/content.ts';
import { exchange } from './de/exchange.ts';
import { group, groups } from './de/groups.ts';
import { kiosk } from './de/kiosk.ts';
import { draft, layout, layouts } from './de/layouts.ts';
import { nowAndThen } from './de/nowAndThen.ts';
import { overlay } from './de/overlay.ts';
import { playlist, playlists } from './de/playlists.ts';
import { reports } from './de/reports.ts';
import { schedule } from './de/schedule.ts';
import { firstSteps, screen, screens } from './de/screens.ts';
import { commands, dayparts, history, hours, identify, telemetry } from './de/screenTools.ts';
import { bulk, selection } from './de/selection.ts';
import { server } from './de/server.ts';
import { invite, people, settings, tokens, workspaces } from './de/settings.ts';
import { register, setUp, signIn } from './de/signIn.ts';
import { updates } from './de/updates.ts';
import { wall, walls } from './de/walls.ts';
import { preview, widget, widgets } from './de/widgets.ts';
import { palette, uploads } from './de/window.ts';
import type { Texts } from './texts.ts';

export const de: Texts = {
  about,
  account,
  activity,
  app,
  bulk,
  commands,
  common,
  content,
  dayparts,
  draft,
  exchange,
  firstSteps,
  form,
  group,
  groups,
  history,
  hours,
  identify,
  invite,
  kiosk,
  layout,
  layouts,
  nav,
  nowAndThen,
  overlay,
  palette,
  people,
  playlist,
  playlists,
  preview,
  problem,
  register,
  reports,
  schedule,
  screen,
  screens,
  selection,
  server,
  settings,
  setUp,
  signIn,
  telemetry,
  tokens,
  updates,
  uploads,
  wall,
  walls,
  widget,
  widgets,
  workspaces,
};
