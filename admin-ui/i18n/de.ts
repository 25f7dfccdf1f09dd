import { account } from './de/account.ts';
import { app, common, nav, problem } from './de/common.ts';
import { content, uploads } from './de/content.ts';
import { playlist, playlists } from './de/playlists.ts';
import { firstSteps, screen, screens } from './de/screens.ts';
import { schedule } from './de/schedule.ts';
import { register, setUp, signIn } from './de/signIn.ts';
import type { Texts } from './texts.ts';

export const de: Texts = { account, app, common, content, firstSteps, nav, playlist, playlists, problem, register, schedule, screen, screens, setUp, signIn, uploads };
