/**
 * Simulates weeks within a minute: item changes of pictures, clips and widgets in a real Chromium. The host's clock
 * jumps from change to change, so that the time in between is skipped. All other conditions are as in a shop. 1,000
 * changes by default; VITRINE_SOAK=10000 for the full run.
 */
// Suite: long
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProgramItem, ProgramZone } from '../../shared/program/program.ts';
import { type ScreenUnderTest, screens } from './testing/browser.ts';
import { clip, plainJpeg, type Rgb } from './testing/pictures.ts';
import { item, layout, NOON, playing, program, zone } from './testing/programs.ts';

const open = screens();

const CHANGES = Number(process.env.VITRINE_SOAK ?? 1_000);
const TURN_MS = 10_000;
/** The clock jumps to this long before each change. The page needs a few exchanges to detect the jump. */
const BEFORE_MS = 40;
const ACROSS = 6;
const DOWN = 4;
/**
 * Number of zones with clips. One further zone shows a widget that changes at every tenth play; the other zones show
 * pictures.
 */
const CLIP_ZONES = 2;
const WIDGET_TURNS = 10;
/** Number of changes after which every zone has shown all its content, and the pool of media elements is complete. */
const WARM_UP = 600;

/** Measured values that must not grow with the number of changes. The heap is in bytes, after a garbage collection. */
interface Footprint {
  readonly heap: number;
  readonly nodes: number;
  readonly documents: number;
  readonly listeners: number;
  readonly media: number;
}

test(`all of ${CHANGES} item changes are shown, and heap, nodes and media elements do not grow`, {
  timeout: 600_000,
}, async (t) => {
  await using screen = await open({ width: 960, height: 540 });
  await screen.page.addInitScript(() => {
    const make = document.createElement.bind(document);
    Object.assign(globalThis, { made: 0 });
    document.createElement = ((name: string, options?: ElementCreationOptions) => {
      if (name === 'video' || name === 'audio') (globalThis as unknown as { made: number }).made++;
      return make(name, options);
    }) as typeof document.createElement;
  });
  const items = await assetsOf(screen);
  const zones = zonesOf();
  const playlistItems = zones.flatMap(({ id }, index) => items(index).map((each) => ({ ...each, zone_id: id })));
  screen.host.setClock(NOON + 100);
  screen.host.push(
    playing(
      program(
        playlistItems.map((part, index) => item(index + 1, part)),
        { layouts: [layout('soak', zones)] },
      ),
    ),
  );
  await screen.open();
  const watched = zones.slice(0, -1).map(({ id }) => id);
  const last = new Map<string, number>();
  let changes = await shownAll(screen, watched, NOON + TURN_MS, last);

  const devtools = await screen.page.context().newCDPSession(screen.page);
  await devtools.send('Performance.enable');
  const measure = async (): Promise<Footprint> => {
    await devtools.send('HeapProfiler.collectGarbage');
    const { metrics } = await devtools.send('Performance.getMetrics');
    const of = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
    return {
      heap: of('JSHeapUsedSize'),
      nodes: of('Nodes'),
      documents: of('Documents'),
      listeners: of('JSEventListeners'),
      media: await screen.page.evaluate(() => (globalThis as unknown as { made: number }).made),
    };
  };
  const started = performance.now();
  let early: Footprint | undefined;
  for (let round = 1; changes < CHANGES; round++) {
    screen.host.setClock(NOON + round * TURN_MS - BEFORE_MS);
    changes += await shownAll(screen, watched, NOON + (round + 1) * TURN_MS, last);
    if (!early && changes >= WARM_UP) early = await measure();
  }
  const late = await measure();
  const seconds = (performance.now() - started) / 1_000;
  t.diagnostic(`${changes} changes in ${seconds.toFixed(0)} s; ${JSON.stringify({ early, late })}`);
  assert.ok(early);
  assert.deepEqual(screen.complaints, []);
  // A leak of one object of 200 bytes per change would be 1.5 MB at 10,000. Garbage collection causes some noise.
  assert.ok(late.heap - early.heap < 1_000_000 + 0.1 * early.heap, `the heap grew from ${early.heap} to ${late.heap}`);
  // A zone may temporarily have two plays of about ten nodes each. A leak of one node per change would be hundreds.
  assert.ok(late.nodes <= early.nodes + 10 * zones.length, `nodes grew from ${early.nodes} to ${late.nodes}`);
  assert.ok(late.documents <= early.documents + 2, `documents grew from ${early.documents} to ${late.documents}`);
  assert.ok(late.listeners <= early.listeners + 60, `listeners grew from ${early.listeners} to ${late.listeners}`);
  // A zone has two decks (media elements) each for the visible, the next and the leaving item.
  assert.ok(late.media <= CLIP_ZONES * 6, `${late.media} media elements were made`);
});

/**
 * Waits until each zone shows the play with this end; throws when a zone skipped that play. Returns the number of
 * zones.
 */
async function shownAll(
  screen: ScreenUnderTest,
  zones: readonly string[],
  end: number,
  last: Map<string, number>,
): Promise<number> {
  for (const zone of zones) {
    const { planned_end, item_id } = await screen.host.until(
      'shown',
      (shown) => shown.zone_id === zone && shown.planned_end >= end,
      30_000,
    );
    assert.equal(planned_end, end, `${zone} missed a turn`);
    assert.notEqual(item_id, last.get(zone), `${zone} did not change`);
    last.set(zone, item_id ?? 0);
  }
  assert.deepEqual(screen.host.of('fault'), []);
  // Reports are cleared because they would be searched again for each of thousands of changes.
  screen.host.reports.length = 0;
  return zones.length;
}

function zonesOf(): ProgramZone[] {
  const size = { width: 100 / ACROSS, height: 100 / DOWN };
  return Array.from({ length: ACROSS * DOWN }, (_, index) =>
    zone(`zone-${index}`, { ...size, x: (index % ACROSS) * size.width, y: Math.floor(index / ACROSS) * size.height }),
  );
}

async function assetsOf(screen: ScreenUnderTest): Promise<(zone: number) => Partial<ProgramItem>[]> {
  const shade = (index: number): Rgb => [(index * 53) % 256, (index * 97) % 256, (index * 151) % 256];
  const pictures = await Promise.all(
    Array.from({ length: 3 }, async (_, index) =>
      screen.host.add(await plainJpeg(shade(index + 1), 160, 90), 'image/jpeg'),
    ),
  );
  const clips = ['0x902020', '0x209020'].map((colour) => clip(`color=${colour}:s=64x36:r=25`, 1));
  const widget = (colour: string) =>
    screen.host.add(
      `<!doctype html><body style="background:${colour}"><script>parent.postMessage({type:'vitrine:ready'},'*')</script>`,
      'text/html',
    );
  const widgets = [widget('#123'), widget('#321')];
  return (index) => {
    if (index === ACROSS * DOWN - 1)
      return widgets.map((asset) => ({ kind: 'widget', asset, duration_ms: WIDGET_TURNS * TURN_MS }));
    if (index < CLIP_ZONES && clips.every((each) => each !== null)) {
      return clips.map((body) => ({
        kind: 'video',
        asset: screen.host.add(body ?? '', 'video/webm'),
        duration_ms: TURN_MS,
        media_ms: 1_000,
      }));
    }
    return pictures.map((asset) => ({ asset, duration_ms: TURN_MS }));
  };
}
