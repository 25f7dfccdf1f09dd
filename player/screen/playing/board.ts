/**
 * A board contains the zones of one layout. When the layout changes, a new board is prepared behind the old board, and
 * both are exchanged in one frame.
 */
import type { ProgramZone, Scene } from '../../../shared/program/program.ts';
import { el } from '../dom.ts';
import type { Frame } from '../frames/frame-loop.ts';
import { type PlayerContext, ZonePlayer, type ZoneUpdate, type ZoneView } from './zone-player.ts';

/** Returns a key for the zones of a scene. Scenes with the same key share a board. */
export const boardKey = (scene: Scene): string => JSON.stringify(scene.zones.map(({ zone }) => zone));

export type BoardUpdate = Omit<ZoneUpdate, 'visible'>;

export class Board {
  readonly key: string;
  readonly element = el('div', 'board waiting');
  #zones = new Map<string, ZonePlayer>();
  #visible = false;

  constructor(key: string, zones: readonly ProgramZone[], context: PlayerContext) {
    this.key = key;
    for (const zone of zones) {
      const player = new ZonePlayer(zone, context);
      this.#zones.set(zone.id, player);
      this.element.append(player.element);
    }
  }

  /** Returns true if the next frame is needed too. */
  update(views: ReadonlyMap<string, ZoneView>, update: BoardUpdate): boolean {
    let busy = false;
    for (const [id, player] of this.#zones) {
      const view = views.get(id);
      if (view && player.update(view, { ...update, visible: this.#visible })) busy = true;
    }
    return busy;
  }

  prepared(views: ReadonlyMap<string, ZoneView>, frame: Frame, how: 'all' | 'some'): boolean {
    const states = [...this.#zones].flatMap(([id, player]) => {
      const want = views.get(id)?.want;
      return want ? player.isPrepared(want, frame) : [];
    });
    return how === 'all' ? states.every(Boolean) : states.some(Boolean);
  }

  reveal(): void {
    this.#visible = true;
    this.element.classList.remove('waiting');
  }

  leave(): void {
    for (const player of this.#zones.values()) player.leave();
  }

  destroy(): void {
    for (const player of this.#zones.values()) player.destroy();
    this.element.remove();
  }
}
