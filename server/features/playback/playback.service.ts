/** Compares formats of contents with what screens can play. */

import {
  MAX_NAMED_SCREENS,
  MAX_PLAYBACK_ITEMS,
  type PlaybackAnswer,
  type PlaybackProblem,
  type PlaybackQuestion,
} from '../../../shared/contract/content/playback.ts';
import { notFound } from '../../../shared/contract/errors.ts';
import { playbackOn } from '../../../shared/formats/playback.ts';
import type { ScreenFormats } from '../../../shared/formats/screen-formats.ts';
import { inSlices } from '../../kernel/threads/slices.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import type { Programs } from '../../programs/programs.ts';
import type { PlansService } from '../plans/plans.service.ts';
import type { PlaybackStore, PlayedContent, PlayingScreen } from './playback.store.ts';

interface Deps {
  readonly store: PlaybackStore;
  readonly programs: Pick<Programs, 'devicesPlaying' | 'devicesMadeOf'>;
  readonly plans: Pick<PlansService, 'screensOf'>;
}

/** Screens that report the same formats. */
interface Alike {
  readonly formats: ScreenFormats | null;
  readonly screens: PlayingScreen[];
}

export class PlaybackService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws ApiError 404 */
  async check(actor: WorkspaceActor, question: PlaybackQuestion): Promise<PlaybackAnswer> {
    const contents = this.#contents(actor, question);
    const screens = this.#screens(actor, question);
    const kinds = [...Map.groupBy(screens, ({ formats }) => formats)].map(
      ([text, alike]): Alike => ({
        formats: text === null ? null : (JSON.parse(text) as ScreenFormats),
        screens: alike,
      }),
    );
    const problems: PlaybackProblem[] = [];
    for await (const content of inSlices(contents)) problems.push(...problemsOf(content, kinds));
    problems.sort((a, b) => b.total - a.total);
    return {
      screens: screens.length,
      unknown: kinds.find(({ formats }) => formats === null)?.screens.length ?? 0,
      problems: problems.slice(0, MAX_PLAYBACK_ITEMS),
    };
  }

  #contents(
    { workspaceId }: WorkspaceActor,
    { content_id, playlist_id, layout_id }: PlaybackQuestion,
  ): PlayedContent[] {
    const { store } = this.#deps;
    if (content_id) {
      const content = store.content(workspaceId, content_id);
      if (!content) throw notFound('Content');
      return [content];
    }
    if (layout_id) {
      if (!store.hasLayout(workspaceId, layout_id)) throw notFound('Layout');
      return store.contentsOfLayout(workspaceId, layout_id);
    }
    if (!playlist_id || !store.hasPlaylist(workspaceId, playlist_id)) throw notFound('Playlist');
    return store.contentsOf(workspaceId, playlist_id);
  }

  #screens(actor: WorkspaceActor, question: PlaybackQuestion): PlayingScreen[] {
    const all = this.#deps.store.screens(actor.workspaceId);
    const ids = this.#chosen(actor, question);
    if (!ids) return all;
    const chosen = new Set(ids);
    return all.filter(({ id }) => chosen.has(id));
  }

  /** Returns the ids of the screens to check; undefined for all screens. */
  #chosen(actor: WorkspaceActor, { playlist_id, layout_id, targets }: PlaybackQuestion): readonly string[] | undefined {
    const { programs, plans } = this.#deps;
    if (targets) return plans.screensOf(actor, targets);
    if (layout_id) return programs.devicesMadeOf(actor.workspaceId, [`layouts ${layout_id}`]);
    if (!playlist_id) return undefined;
    return programs.devicesPlaying(actor.workspaceId, playlist_id).map(({ deviceId }) => deviceId);
  }
}

/** Returns one problem per reason, with the screens that cannot play the content for this reason. */
const problemsOf = (content: PlayedContent, kinds: readonly Alike[]): PlaybackProblem[] => {
  const byReason = new Map<string, Pick<PlaybackProblem, 'verdict' | 'reason'> & { screens: PlayingScreen[] }>();
  for (const { formats, screens } of kinds) {
    const { verdict, reason } = playbackOn(content, formats);
    if (reason === null || (verdict !== 'fails' && verdict !== 'silent')) continue;
    const found = byReason.get(`${verdict} ${reason}`);
    if (found) found.screens.push(...screens);
    else byReason.set(`${verdict} ${reason}`, { verdict, reason, screens: [...screens] });
  }
  return [...byReason.values()].map(({ verdict, reason, screens }) => ({
    content_id: content.id,
    filename: content.filename,
    verdict,
    reason,
    screens: screens.slice(0, MAX_NAMED_SCREENS).map(({ id, name }) => ({ id, name })),
    total: screens.length,
  }));
};
