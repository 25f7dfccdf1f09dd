import { account } from './en/account.ts';
import { app, common, nav, problem } from './en/common.ts';
import { content, uploads } from './en/content.ts';
import { playlist, playlists } from './en/playlists.ts';
import { firstSteps, screen, screens } from './en/screens.ts';
import { schedule } from './en/schedule.ts';
import { register, setUp, signIn } from './en/signIn.ts';

/** Every text of the window. What German must have follows from it (texts.ts). */
export const en = { account, app, common, content, firstSteps, nav, playlist, playlists, problem, register, schedule, screen, screens, setUp, signIn, uploads };
