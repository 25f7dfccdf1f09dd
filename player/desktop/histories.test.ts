/**
 * Tests random sequences of events on a computer with TVs. The rule is: within a minute, each connected display shows
 * its own screen.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RESTART_CODE } from '../../shared/desktop/update-state.ts';
import { runCount } from '../../test/run-count.ts';
import type { PretendWindow, Tv } from './testing/pretend-machine.ts';
import { PretendScreens, tv } from './testing/pretend-screens.ts';

const MINUTE = 60_000;
/** Number of TVs. All of them are connected at the first start. */
const TVS = 3;
const FOLDERS = ['/d', '/d-2', '/d-3'];
const RUNS = runCount(40, 120);

/**
 * Kinds of display ids: stable ids of different models or of equal models; models with new ids each time, or with the
 * same id for all.
 */
type Ids = 'lasting' | 'equal models' | 'new' | 'shared';
const STRANGER = 'stranger';

class History {
  readonly #ids: Ids;
  readonly #all: Tv[];
  readonly screens: PretendScreens;
  #next = 100;

  constructor(ids: Ids) {
    this.#ids = ids;
    this.#all = Array.from({ length: TVS }, (_, i) =>
      tv(ids === 'shared' ? 7 : 11 * (i + 1), ids === 'equal models' ? 'model' : `model ${i}`),
    );
    this.screens = new PretendScreens(this.#all);
  }

  get #there(): Tv[] {
    return this.screens.machine.tvs;
  }
  window(i: number): PretendWindow | undefined {
    return this.screens.machine.standing[i % TVS];
  }
  folder(i: number): string {
    return FOLDERS[i % TVS]!;
  }
  off(i: number, quietly: boolean): void {
    const gone = this.#all[i % TVS]!;
    this.screens.machine.become(
      this.#there.filter((each) => each !== gone),
      { quietly },
    );
  }
  on(i: number, first: boolean): void {
    const back = this.#all[i % TVS]!;
    if (this.#there.includes(back)) return;
    if (this.#ids === 'new') back.id = this.#next++;
    this.screens.machine.become(first ? [back, ...this.#there] : [...this.#there, back]);
  }
  /** Connects a display that was never connected before. */
  strange(first: boolean): void {
    const id = this.#ids === 'shared' ? 7 : this.#next++;
    const stranger = tv(id, `${STRANGER} ${this.#next++}`);
    this.screens.machine.become(first ? [stranger, ...this.#there] : [...this.#there, stranger]);
  }
  strangersOff(): void {
    this.screens.machine.become(this.#there.filter(({ label }) => !label.startsWith(STRANGER)));
  }
  /** Swaps the ids of two outputs. Equal TVs cannot be distinguished then. */
  swapCables(i: number, j: number): void {
    const [a, b] = [this.#all[i % TVS]!, this.#all[j % TVS]!];
    if (this.#ids === 'equal models' || !this.#there.includes(a) || !this.#there.includes(b)) return;
    [a.id, b.id] = [b.id, a.id];
    this.screens.machine.become(this.#there);
  }
  makePrimary(i: number): void {
    const first = this.#all[i % TVS]!;
    if (this.#there.includes(first))
      this.screens.machine.become([first, ...this.#there.filter((each) => each !== first)]);
  }
  resize(i: number, quietly: boolean): void {
    const turned = this.#all[i % TVS]!;
    [turned.width, turned.height] =
      turned.width === 1920 ? [1080, 1920] : turned.width === 1080 ? [3840, 2160] : [1920, 1080];
    this.screens.machine.become(this.#there, { quietly });
  }
  /** Checks that each display shows its screen. An unknown display may show any screen that no other display shows. */
  check(): void {
    const shown = this.screens.all();
    assert.deepEqual(
      shown.map((folder, i) => (this.#all.includes(this.#there[i]!) ? folder : Boolean(folder))),
      this.#there.map((each) => FOLDERS[this.#all.indexOf(each)] ?? true),
    );
    assert.equal(new Set(shown).size, shown.length, 'no screen is on two displays');
  }
}

type Step = (history: History) => void | Promise<void>;
const named = (name: string, step: Step): Step => Object.assign(step, { toString: () => name });

const index = fc.nat({ max: TVS - 1 });
const steps = fc.oneof(
  fc
    .tuple(index, fc.boolean())
    .map(([i, quietly]) => named(`TV ${i} off${quietly ? ', quietly' : ''}`, (history) => history.off(i, quietly))),
  fc
    .tuple(index, fc.boolean())
    .map(([i, first]) => named(`TV ${i} on${first ? ', first' : ''}`, (history) => history.on(i, first))),
  fc.shuffledSubarray([0, 1, 2]).map((order) =>
    named(`all off, ${order} on`, (history) => {
      for (let i = 0; i < TVS; i++) history.off(i, false);
      for (const i of order) history.on(i, false);
    }),
  ),
  fc.boolean().map((first) => named(`a strange TV${first ? ', first' : ''}`, (history) => history.strange(first))),
  fc.constant(named('strange TVs off', (history) => history.strangersOff())),
  fc.tuple(index, index).map(([i, j]) => named(`cables ${i} and ${j} swapped`, (history) => history.swapCables(i, j))),
  index.map((i) => named(`TV ${i} primary`, (history) => history.makePrimary(i))),
  fc
    .tuple(index, fc.boolean())
    .map(([i, quietly]) =>
      named(`TV ${i} of another size${quietly ? ', quietly' : ''}`, (history) => history.resize(i, quietly)),
    ),
  index.map((i) => named(`page ${i} crashes`, (history) => history.window(i)?.crash())),
  fc.tuple(index, fc.constantFrom('hung' as const, 'stopped' as const)).map(([i, how]) =>
    named(`page ${i} ${how}`, (history) => {
      const window = history.window(i);
      if (!window || window.renderer === 'gone') return;
      window.renderer = how;
      window.isBlank = true;
    }),
  ),
  index.map((i) => named(`page ${i} lost to an error`, (history) => history.window(i)?.loseItself())),
  index.map((i) =>
    named(`window ${i} stuck`, (history) => {
      const window = history.window(i);
      if (window) window.isStuck = true;
    }),
  ),
  fc.constant(named('graphics crash', ({ screens }) => screens.machine.crashGpu())),
  fc
    .tuple(index, fc.constantFrom(0, 1, null, RESTART_CODE))
    .map(([i, code]) =>
      named(`agent ${i} ends (${code})`, (history) => history.screens.agents.of(history.folder(i))?.exit(code)),
    ),
  index.map((i) => named(`agent ${i} hangs`, (history) => history.screens.agents.of(history.folder(i))?.hang())),
  fc.integer({ min: 1, max: 600 }).map((minutes) =>
    named(`sleeps ${minutes} minutes`, ({ screens }) => {
      screens.time.jump(minutes * MINUTE);
      screens.machine.resume();
    }),
  ),
  index.map((i) => named(`window ${i} closed`, (history) => history.window(i)?.destroy())),
  index.map((i) =>
    named(`window ${i} out of kiosk`, (history) => {
      const window = history.window(i);
      if (window) window.kiosk = false;
    }),
  ),
  fc
    .integer({ min: 1, max: 2 })
    .map((count) => named(`${count} windows misplaced`, ({ screens }) => void (screens.machine.misplaced = count))),
  fc
    .integer({ min: 1, max: 2 })
    .map((count) => named(`${count} windows refused`, ({ screens }) => void (screens.machine.refused = count))),
  fc.constant(
    named('no displays for 3 s', async ({ screens }) => {
      screens.machine.saysNone = true;
      screens.machine.resume();
      await screens.time.advance(3_000);
      screens.machine.saysNone = false;
    }),
  ),
  fc.constant(
    named('the program starts again', async ({ screens }) => {
      await screens.stop();
      await screens.start();
    }),
  ),
  fc
    .integer({ min: 1, max: 40 })
    .map((seconds) => named(`${seconds} s pass`, ({ screens }) => screens.time.advance(seconds * 1_000))),
  fc.constant(named('a minute passes', (history) => settled(history))),
);

/** Waits a minute, then checks all guarantees. */
const settled = async (history: History): Promise<void> => {
  const { screens } = history;
  const { machine, agents, time } = screens;
  // Acts like the program around the screens, which restarts it on request.
  if (screens.told.includes('gpu') && machine.usesGpu) {
    await screens.stop();
    machine.usesGpu = false;
    await screens.start();
  }
  await time.advance(MINUTE);
  history.check();
  assert.equal(machine.standing.length, machine.tvs.length, 'one window on each display');
  const folders = agents.running.map(({ data }) => data);
  assert.equal(new Set(folders).size, folders.length, 'one agent on each data folder');
  assert.deepEqual(agents.clashes, []);
  assert.ok(screens.player?.isWell());
};

const nothingIsLeft = async ({ screens }: History): Promise<void> => {
  await screens.stop();
  const { machine, agents, time } = screens;
  assert.deepEqual(
    [machine.standing.length, agents.running.length, machine.listeners, machine.awake, time.pending],
    [0, 0, 0, 0, 0],
  );
};

for (const ids of ['lasting', 'equal models', 'new', 'shared'] as const) {
  test(`each present display shows its own screen within a minute after any events (ids: ${ids})`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 14 }), async (all) => {
        const history = new History(ids);
        await history.screens.start();
        await settled(history);
        for (const step of all) await step(history);
        await settled(history);
        await nothingIsLeft(history);
      }),
      { numRuns: RUNS },
    );
  });
}
