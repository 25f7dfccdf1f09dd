// Suite: frames
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProgramItem, Transition } from '../../shared/program/program.ts';
import { progressAt } from '../../shared/program/transition.ts';
import { until } from '../../test/until.ts';
import { type ScreenUnderTest, screens } from './testing/browser.ts';
import { Film } from './testing/filming.ts';
import { BLUE, clip, distance, GREEN, type Picture, RED, type Rgb } from './testing/pictures.ts';
import { item, NOON, placement, playing, program } from './testing/programs.ts';

const open = screens();

const SIZE = { width: 640, height: 360 };
/** The longest transition, so that each screenshot is taken while the transition runs. */
const slowly = (kind: Transition['kind']): Transition => ({ kind, ms: 3000 });
const TURN_MS = 10_000;

/** Shows red, then green with a transition of `kind`, and stops the clock just before the transition. */
const approach = async (
  screen: ScreenUnderTest,
  kind: Transition['kind'],
  { width = 640, ...part } = {},
): Promise<void> => {
  const [red, green] = [await screen.plain(RED, width, 360), await screen.plain(GREEN, width, 360)];
  const items = [
    item(1, { asset: red, duration_ms: TURN_MS }),
    item(2, { asset: green, duration_ms: TURN_MS, transition: slowly(kind) }),
  ];
  screen.host.setClock(NOON + TURN_MS - 1_200);
  screen.host.push(playing(program(items), part));
  await screen.open();
  await screen.seen(320, 180, RED);
};

/** Takes a screenshot and returns the progress of the transition before and after it. */
const lookBetween = async (screen: ScreenUnderTest, kind: Transition['kind']) => {
  const far = () => progressAt(slowly(kind), NOON + TURN_MS, screen.host.now());
  const from = far();
  const picture = await screen.look();
  return { picture, from, to: far() };
};

/** Takes a screenshot once the transition has reached `share`. */
const midway = async (screen: ScreenUnderTest, kind: Transition['kind'], share = 0.4) => {
  await until('the transition', 15_000, async () => screen.host.now() > NOON + TURN_MS + share * 3000);
  return lookBetween(screen, kind);
};

/** Returns the x position in pixels where red ends and green begins in the middle line. */
const edgeOf = (picture: Picture): number => {
  for (let x = 0; x < picture.width; x++) {
    const isRed = distance(picture.at(x, 180), RED) < distance(picture.at(x, 180), GREEN);
    if (!isRed) return x;
  }
  return picture.width;
};
const mixed = (a: Rgb, b: Rgb, share: number): Rgb =>
  a.map((value, i) => value + ((b[i] ?? 0) - value) * share) as unknown as Rgb;

test('fade shows both pictures mixed, in the proportion that the clock requires', async () => {
  await using screen = await open(SIZE);
  await approach(screen, 'fade');
  const { picture, from, to } = await midway(screen, 'fade');
  const [, green] = picture.at(320, 180);
  const [least, most] = [mixed(RED, GREEN, from)[1], mixed(RED, GREEN, to)[1]];
  assert.ok(to < 1 && green >= least - 12 && green <= most + 12, `${green} is not between ${least} and ${most}`);
  assert.ok(distance(picture.at(10, 10), picture.at(630, 350)) <= 3, 'everywhere the same');
  await screen.seen(320, 180, GREEN);
});

test('push moves both pictures to the left, wipe uncovers the new picture from the left, and neither leaves a gap', async () => {
  const one = async (kind: 'push' | 'wipe'): Promise<void> => {
    await using screen = await open(SIZE);
    await approach(screen, kind);
    const { picture, from, to } = await midway(screen, kind);
    if (kind === 'push') {
      const edge = edgeOf(picture);
      assert.ok(edge >= 640 * (1 - to) - 12 && edge <= 640 * (1 - from) + 12, `${edge} at ${from} to ${to}`);
      assert.ok(distance(picture.at(edge + 3, 180), GREEN) < 24 && distance(picture.at(edge - 3, 180), RED) < 24);
    } else {
      assert.ok(distance(picture.at(640 * from - 14, 180), GREEN) < 24, `green on the left at ${from}`);
      assert.ok(distance(picture.at(640 * to + 14, 180), RED) < 24, `red on the right at ${to}`);
    }
    await screen.seen(5, 5, GREEN);
    await screen.seen(635, 355, GREEN);
  };
  await Promise.all([one('push'), one('wipe')]);
});

test('transition on a wall runs across the whole canvas by the shared clock', async () => {
  const tile = (x: number) => ({
    width: 1280,
    placement: placement({
      wall: {
        wall_id: 'w',
        canvas: { width: 1280, height: 360 },
        tile: { x, y: 0, width: 640, height: 360 },
        rotation: 0,
        audio: true,
      },
    }),
  });
  await using left = await open(SIZE);
  await using right = await open(SIZE);
  await Promise.all([approach(left, 'push', tile(0)), approach(right, 'push', tile(640))]);
  const early = await midway(right, 'push', 0.15);
  const edge = 640 + edgeOf(early.picture);
  const [most, least] = [1280 * (1 - early.from), 1280 * (1 - early.to)];
  assert.ok(edge >= least - 20 && edge <= most + 20, `${edge} is not between ${least} and ${most}`);
  const meanwhile = await lookBetween(left, 'push');
  if (meanwhile.to < 0.5) assert.equal(edgeOf(meanwhile.picture), 640, 'it has not come to the left panel');
  const late = await midway(left, 'push', 0.6);
  const [from, to] = [1280 * (1 - late.to), 1280 * (1 - late.from)];
  assert.ok(edgeOf(late.picture) >= from - 20 && edgeOf(late.picture) <= to + 20, `${edgeOf(late.picture)}`);
  assert.equal(edgeOf(await right.look()), 0, 'the right panel has it whole');
});

test('transitions between pictures, clips and pages show no black frame and leave no elements behind', async (t) => {
  const moving = clip('color=c=0x1e3cd2:s=640x360:r=25', 2);
  const page = '<!doctype html><body style="margin:0;height:100vh;background:#14aa46">';
  await using screen = await open(SIZE);
  const [red, green] = [await screen.plain(RED), screen.host.add(page, 'text/html')];
  const blue = moving && screen.host.add(moving, 'video/webm');
  const short = (kind: Transition['kind']): Partial<ProgramItem> => ({
    duration_ms: 1_200,
    transition: { kind, ms: 400 },
  });
  const items = (['fade', 'push', 'wipe'] as const).flatMap((kind, i) => [
    item(3 * i + 1, { asset: red, ...short(kind) }),
    ...(blue ? [item(3 * i + 2, { kind: 'video' as const, asset: blue, media_ms: 2_000, ...short(kind) })] : []),
    item(3 * i + 3, { kind: 'widget', asset: green, ...short(kind) }),
  ]);
  screen.host.setClock(NOON);
  screen.play(...items);
  await screen.open();
  await screen.seen(320, 180, RED);
  const film = await Film.of(screen);
  await screen.host.until('shown', ({ item_id }) => item_id === 9, 40_000);
  await until('the end of the last transition', 5_000, async () => screen.host.of('ended').length >= items.length - 1);
  const frames = await film.stop();
  t.diagnostic(`${frames.length} frames`);
  assert.ok(frames.length > 50);
  const dark = frames.flatMap((frame, i) =>
    [20, 160, 320, 480, 620].some((x) => Math.max(...frame.at(x, 180)) < 90) ? [i] : [],
  );
  assert.deepEqual(dark, [], 'frames in which something is dark');
  assert.ok((await screen.page.locator('.slot').count()) <= 3);
  for (const { completed } of screen.host.of('ended').slice(1)) assert.equal(completed, true);
});

test('new program ends a running transition, and the first picture of a program appears without a transition', async () => {
  await using screen = await open(SIZE);
  await approach(screen, 'push');
  await midway(screen, 'push', 0.2);
  const blue = await screen.plain(BLUE);
  const other = program([item(7, { asset: blue, transition: slowly('wipe'), duration_ms: 60_000 })]);
  screen.host.push(playing(other, { program_id: 'b'.repeat(64) }));
  await screen.seen(320, 180, BLUE, 5_000);
  await screen.seen(635, 180, BLUE, 5_000);
  await until('the old pictures', 5_000, async () => (await screen.page.locator('.slot').count()) === 1);
});

test('slow machine shows cuts instead of transitions after three slow transitions, and reports this once', async () => {
  await using screen = await open(SIZE);
  const [red, green] = [await screen.plain(RED), await screen.plain(GREEN)];
  const of = (id: number, asset: string) =>
    item(id, { asset, duration_ms: 1_000, transition: { kind: 'fade', ms: 450 } });
  screen.host.setClock(NOON);
  screen.play(of(1, red), of(2, green));
  await screen.page.addInitScript(() => {
    const draw = window.requestAnimationFrame.bind(window);
    // Simulates a frame on a slow machine: the page does nothing else for 80 ms.
    window.requestAnimationFrame = (run) =>
      draw((time) => {
        const since = performance.now();
        while (performance.now() - since < 80);
        run(time);
      });
  });
  await screen.open();
  const { message, item_id } = await screen.host.until('fault', () => true, 30_000);
  assert.match(message, /too slow for transitions/);
  assert.equal(item_id, null);
  const turns = screen.host.of('shown').length;
  await until('three more changes', 15_000, async () => screen.host.of('shown').length >= turns + 3);
  assert.equal(screen.host.of('fault').length, 1);
  const styles = await screen.page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.slot.front')].map(({ style }) => style.opacity),
  );
  assert.ok(styles.every((opacity) => opacity === ''));
});
