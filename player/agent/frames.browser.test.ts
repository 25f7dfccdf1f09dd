/**
 * Tests pages that break while they are visible, with the player's real browser and built screen page, and a web server
 * whose answers are faulty.
 */
// Suite: frames
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { ProgramItem } from '../../shared/program/program.ts';
import { BLUE, GREEN, plainJpeg, RED } from '../screen/testing/pictures.ts';
import { item, playing, program } from '../screen/testing/programs.ts';
import { misbehaving, needsBrowser as options, page } from './testing/misbehaving.ts';

const HOUR = 3_600_000;
const BLUE_PAGE = '#1e3cd2';
const GREEN_PAGE = '#14aa46';
const scripted = (script: string): string => `<script>${script}</script>`;

async function rig(t: TestContext) {
  const parts = await misbehaving(t);
  const { host } = parts;
  const red = host.add(await plainJpeg(RED), 'image/jpeg');
  /** Plays an item for an hour, and a replacement item. */
  const play = (part: Partial<ProgramItem>, state: { readonly repairs?: number } = {}): void =>
    host.push(
      playing(
        program([
          item(1, { kind: 'web', name: 'Dashboard', duration_ms: HOUR, ...part }),
          item(2, { asset: red, duration_ms: HOUR }),
        ]),
        state,
      ),
    );
  return { ...parts, play };
}

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};
const isBelow = (pid: number, ancestor: number): boolean => {
  const parent = Number(/\) \S (\d+)/.exec(read(`/proc/${pid}/stat`))?.[1] ?? 0);
  return parent === ancestor || (parent > 1 && isBelow(parent, ancestor));
};
/** Returns the processes of the browser that show pages, newest first. The last process belongs to the screen page. */
const renderers = (browser: number): number[] => {
  const made = (pid: number): number =>
    Number(/--renderer-client-id=(\d+)/.exec(read(`/proc/${pid}/cmdline`))?.[1] ?? 0);
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && made(pid) > 0 && isBelow(pid, browser))
    .sort((a, b) => made(b) - made(a));
};

for (const [what, reason] of [
  ['crashes', /the page crashed/],
  ['runs without end', /no longer responds/],
] as const) {
  test(`page that ${what} while visible is replaced by the next item, reported and retried`, options, async (t) => {
    const crashes = what === 'crashes';
    if (crashes && process.platform !== 'linux') return t.skip('processes are found as on Linux');
    const { answers, host, browser, seen, origin, play } = await rig(t);
    let script = crashes ? '' : 'setTimeout(() => { for (;;); }, 2500)';
    answers.set('/d', (request, response) => page(BLUE_PAGE, scripted(script))(request, response));
    const part = { url: `${origin}/d?key=secret` };
    play(part);
    browser.start();
    await seen(BLUE);
    script = '';
    await host.until('shown');
    for (const pid of crashes ? renderers(browser.pid ?? 0) : []) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // If a page crashes before it is due, another page takes its place, and no fault is reported.
      }
      const isIt = await host.until('fault', () => true, 2_000).catch(() => null);
      if (isIt) break;
    }
    await seen(RED);
    const fault = await host.until('fault');
    assert.match(fault.message, reason);
    assert.ok(fault.message.startsWith(`Dashboard (${origin}/d): `), fault.message);
    const [first] = host.of('shown');
    const ended = await host.until('ended', ({ turn }) => turn === first?.turn);
    assert.equal(ended.completed, false);
    // The new number of repairs makes the next attempt due at once, instead of after 10 s.
    play(part, { repairs: 1 });
    await seen(BLUE);
    assert.equal(host.of('fault').length, 1);
  });
}

test(
  'dashboard page that reloads while its server is down keeps its picture, is reported, and recovers',
  options,
  async (t) => {
    const { answers, host, browser, seen, origin, play } = await rig(t);
    let colour = BLUE_PAGE;
    let away: 'no' | 'error' | 'gone' = 'no';
    let asked = 0;
    answers.set('/d', (request, response) => {
      if (away === 'no') return page(colour, scripted('setTimeout(() => location.reload(), 800)'))(request, response);
      asked++;
      if (away === 'gone') return void request.socket.destroy();
      response.writeHead(502, { 'content-type': 'text/html' }).end('<body style="background:#fff">Bad gateway');
    });
    play({ url: `${origin}/d` });
    browser.start();
    await seen(BLUE);
    for (const how of ['error', 'gone'] as const) {
      const before = host.of('fault').length;
      away = how;
      asked = 0;
      await host.until('fault', () => host.of('fault').length > before && asked > 0);
      const fault = host.of('fault').at(-1);
      assert.match(
        fault?.message ?? '',
        how === 'error' ? /answers with the error 502; the last image stays/ : /does not answer; the last image stays/,
      );
      await seen(colour === BLUE_PAGE ? BLUE : GREEN, 1_000);
      assert.equal(host.of('ended').length, 0);
      colour = colour === BLUE_PAGE ? GREEN_PAGE : BLUE_PAGE;
      away = 'no';
      await seen(colour === BLUE_PAGE ? BLUE : GREEN, 20_000);
      await host.until('mended', () => host.of('mended').length === host.of('fault').length);
    }
    assert.equal(host.of('shown').length, 1);
  },
);

test('page that never finishes loading is shown once it has content', options, async (t) => {
  const { answers, browser, host, seen, origin, play } = await rig(t);
  answers.set('/d', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write(`<!doctype html><body style="margin:0;height:100vh;background:${BLUE_PAGE}"><p>so far</p>`);
  });
  play({ url: `${origin}/d` });
  browser.start();
  await seen(BLUE, 12_000);
  assert.equal((await host.until('shown')).item_id, 1);
  assert.deepEqual(host.of('fault'), []);
});

test('launched page that breaks is replaced by the program, and returns once it is repaired', options, async (t) => {
  const { answers, browser, host, seen, origin } = await rig(t);
  let script = 'setTimeout(() => { for (;;); }, 2500)';
  answers.set('/d', (request, response) => page(BLUE_PAGE, scripted(script))(request, response));
  const red = host.add(await plainJpeg(RED), 'image/jpeg');
  host.push(playing(program([item(2, { asset: red, duration_ms: HOUR })]), { launch_url: `${origin}/d` }));
  browser.start();
  await seen(BLUE);
  script = '';
  await seen(RED, 25_000);
  assert.match((await host.until('fault')).message, /no longer responds/);
  await seen(BLUE, 20_000);
});
