import { about } from './en/about.ts';
import { account } from './en/account.ts';
import { activity } from './en/activity.ts';
import { app, common, form, nav, problem } from './en/common.ts';
import { content } from './en/content.ts';
import { exchange } from './en/exchange.ts';
import { group, groups } from './en/groups.ts';
import { kiosk } from './en/kiosk.ts';
import { draft, layout, layouts } from './en/layouts.ts';
import { nowAndThen } from './en/nowAndThen.ts';
import { overlay } from './en/overlay.ts';
import { playlist, playlists } from './en/playlists.ts';
import { reports } from './en/reports.ts';
import { schedule } from './en/schedule.ts';
import { firstSteps, screen, screens } from './en/screens.ts';
import { commands, dayparts, history, hours, identify, telemetry } from './en/screenTools.ts';
import { bulk, selection } from './en/selection.ts';
import { server } from './en/server.ts';
import { invite, people, settings, tokens, workspaces } from './en/settings.ts';
import { register, setUp, signIn } from './en/signIn.ts';
import { updates } from './en/updates.ts';
import { wall, walls } from './en/walls.ts';
import { preview, widget, widgets } from './en/widgets.ts';
import { palette, uploads } from './en/window.ts';

/** Every text of the window. What German must have follows from it (texts.ts). */
export const en = {
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
