/** Plays a program: computes the scene, prepares boards and cues ahead of time, and switches on time. */
import type { Cue, Placement, Program, Scene, ZoneScene } from '../../../shared/program/program.ts';
import { itemsOf } from '../../../shared/program/program-items.ts';
import { resolve } from '../../../shared/program/resolve.ts';
import type { Frame } from '../frames/frame-loop.ts';
import { Pile, whenPresented } from '../over/cover.ts';
import { Board, type BoardUpdate, boardKey } from './board.ts';
import { standIn } from './fallback.ts';
import { surfaceKey, turnKey } from './turn.ts';
import type { PlayerContext, ZoneView } from './zone-player.ts';

/**
 * Time before its start at which the next content is loaded: long enough for a slow card, and short enough for a fresh
 * web page.
 */
const LEAD_MS = 20_000;
/**
 * Milliseconds for which the old layout stays while zones of a new layout are not ready. After this time, the new
 * layout is shown with the zones that are ready.
 */
const PATIENCE_MS = 3_000;

/** `content`: the program is visible; `idle`: there is nothing to show now. */
export type ShowState = 'content' | 'idle';

interface Playing {
  readonly program: Program;
  readonly programId: string;
  readonly placement: Placement;
  /** Id of the placement, as in the host's state. `repairs` is from there, too. */
  readonly placementId: string | null;
  readonly repairs: number;
}

export class Show {
  readonly element: HTMLElement;
  #context: PlayerContext;
  #onState: (state: ShowState) => void;
  #playing: Playing | null = null;
  #scene: { readonly scene: Scene; readonly from: number; readonly next: Scene } | null = null;
  #board: Board | null = null;
  readonly #pile = new Pile();
  #pending: { readonly board: Board; readonly since: number } | null = null;
  #state: ShowState | null = null;
  #announced: string | null = null;
  #undo: (() => void) | null = null;

  /** @param onState called when the change has been painted */
  constructor(
    element: HTMLElement,
    context: Omit<PlayerContext, 'timezone' | 'mimeOf'>,
    onState: (state: ShowState) => void,
  ) {
    this.element = element;
    this.#context = {
      ...context,
      timezone: () => this.#playing?.placement.timezone ?? 'UTC',
      mimeOf: (asset) => this.#playing?.program.assets.find(({ sha256 }) => sha256 === asset)?.mime,
    };
    this.#onState = onState;
  }

  get state(): ShowState | null {
    return this.#state;
  }

  play(playing: Playing): void {
    if (this.#playing?.programId !== playing.programId) this.#context.faults.retain(keysOf(playing.program));
    else if (this.#playing.repairs !== playing.repairs) this.#context.faults.clear();
    this.#playing = playing;
    this.#scene = null;
    this.#undo ??= this.#context.loop.onFrame((frame) => this.#tick(frame));
    this.#context.loop.wake();
  }

  stop(): void {
    this.#undo?.();
    this.#undo = null;
    this.#board?.destroy();
    this.#pending?.board.destroy();
    this.#board = this.#pending = null;
    this.#playing = this.#scene = this.#state = this.#announced = null;
  }

  #tick(frame: Frame): number {
    const playing = this.#playing;
    if (!playing) return Infinity;
    const at = this.#context.aim.seenAt(frame);
    const { scene, next } = this.#sceneAt(playing, at);
    const wait = scene.until - at;
    const views = this.#views(playing, scene, next, frame, at);
    const update = { frame, at, silent: playing.placement.wall?.audio === false };

    if (![...views.values()].some(({ want }) => want)) this.#rest(playing);
    else if (this.#board?.key !== boardKey(scene)) return this.#change(playing, scene, views, update);

    const busy = this.#board?.update(views, update) ?? false;
    if (this.#board && !this.#isAnnounced(playing, 'content') && this.#board.prepared(views, frame, 'all'))
      this.#announce(playing, 'content');
    if (wait < LEAD_MS && hasCue(next) && this.#board?.key !== boardKey(next)) {
      this.#pendingFor(next, scene.until).board.update(this.#views(playing, next, next, frame, at), update);
    } else {
      this.#pending?.board.destroy();
      this.#pending = null;
    }
    return busy ? 0 : wait;
  }

  /**
   * The scene has another layout than the visible board: the new board replaces it as soon as no zone would be blank.
   */
  #change(playing: Playing, scene: Scene, views: ReadonlyMap<string, ZoneView>, update: BoardUpdate): number {
    const { board, since } = this.#pendingFor(scene, update.at);
    board.update(views, update);
    if (!board.prepared(views, update.frame, update.at - since > PATIENCE_MS ? 'some' : 'all')) return 0;
    this.#reveal(board);
    board.update(views, update);
    this.#announce(playing, 'content');
    return 0;
  }

  #sceneAt({ program, placement }: Playing, at: number): { scene: Scene; next: Scene } {
    const known = this.#scene;
    // The stored scene is no longer valid if the clock went back by more than a frame.
    if (known && at < known.scene.until && at > known.from - 50) return known;
    const scene = resolve(program, placement.timezone, at);
    this.#scene = { scene, from: at, next: resolve(program, placement.timezone, scene.until) };
    return this.#scene;
  }

  #views(playing: Playing, scene: Scene, next: Scene, frame: Frame, at: number): Map<string, ZoneView> {
    const sameBoard = boardKey(scene) === boardKey(next);
    return new Map(
      scene.zones.map((zone) => {
        const after = sameBoard && scene !== next ? upcoming(zone, next) : null;
        const soon = after && after.since - at < LEAD_MS ? after : null;
        return [
          zone.zone.id,
          { want: this.#standIn(playing, zone, zone.cue, frame), soon: this.#standIn(playing, zone, soon, frame) },
        ];
      }),
    );
  }

  #standIn({ program, placement }: Playing, zone: ZoneScene, cue: Cue | null, frame: Frame): Cue | null {
    return standIn({
      cue,
      follow: ({ until }) =>
        resolve(program, placement.timezone, until).zones.find((z) => z.zone.id === zone.zone.id)?.cue ?? null,
      fallback: program.fallback,
      usable: (item) => this.#context.faults.usable(surfaceKey(item), frame.time),
    });
  }

  #pendingFor(scene: Scene, since: number): { readonly board: Board; readonly since: number } {
    const key = boardKey(scene);
    if (this.#pending?.board.key !== key) {
      this.#pending?.board.destroy();
      this.#pending = {
        since,
        board: new Board(
          key,
          scene.zones.map(({ zone }) => zone),
          this.#context,
        ),
      };
      this.element.append(this.#pending.board.element);
      this.#pile.raise(this.#pending.board.element);
    }
    return this.#pending;
  }

  #reveal(board: Board): void {
    const old = this.#board;
    this.#board = board;
    this.#pending = null;
    old?.leave();
    board.reveal();
    if (old) whenPresented(this.#context.loop, board.element, () => old.destroy());
  }

  /** Called when there is nothing to show: the idle page covers the picture before the picture is removed. */
  #rest(playing: Playing): void {
    const board = this.#board;
    this.#board = null;
    board?.leave();
    this.#announce(playing, 'idle', () => board?.destroy());
  }

  #isAnnounced(playing: Playing, state: ShowState): boolean {
    return this.#state === state && this.#announced === nameOf(playing);
  }

  #announce(playing: Playing, state: ShowState, then?: () => void): void {
    const { programId: program_id, placementId: placement_id } = playing;
    const stateChanged = this.#state !== state;
    const programChanged = this.#announced !== nameOf(playing);
    if (!stateChanged && !programChanged) return then?.();
    this.#state = state;
    this.#announced = nameOf(playing);
    const { loop, host } = this.#context;
    loop.afterPaint(() => {
      if (stateChanged && this.#state === state) this.#onState(state);
      if (programChanged) host.report({ type: 'switched', program_id, placement_id });
      if (then) loop.afterPaint(() => loop.afterPaint(then));
    });
  }
}

/** Returns a key for a program and its placement, so that each combination is reported to the host once. */
const nameOf = ({ programId, placementId }: Playing): string => `${programId} ${placementId}`;
const hasCue = (scene: Scene): boolean => scene.zones.some(({ cue }) => cue !== null);

/**
 * Returns the cue (planned play) that follows in this zone: from the next scene if it has a new one, otherwise from
 * this scene.
 */
function upcoming(zone: ZoneScene, next: Scene): Cue | null {
  const then = next.zones.find((z) => z.zone.id === zone.zone.id);
  if (!then?.cue) return zone.next;
  return zone.cue && turnKey(then.cue) === turnKey(zone.cue) ? then.next : then.cue;
}

const keysOf = (program: Program): Set<string> => new Set(itemsOf(program).map(surfaceKey));
