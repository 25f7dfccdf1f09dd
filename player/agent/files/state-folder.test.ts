/**
 * Tests that picture, pairing and plays survive damaged or missing small files, removed folders, and a killed player.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { programOf } from '../../core/testing/fakes.ts';
import type { ScreenState } from '../../screen/host/host.ts';
import { agentRig } from '../testing/agents.ts';
import { FakeSite } from '../testing/fake-server.ts';
import { folderFor } from '../testing/folder.ts';
import { kiosk } from '../testing/kiosk.ts';
import { ALIVE, ended, report, shown } from '../testing/plays.ts';
import { playing, stateAt } from '../testing/screen-side.ts';

const DAMAGES: Readonly<Record<string, (path: string) => void>> = {
  empty: (path) => writeFileSync(path, ''),
  cut: (path) => writeFileSync(path, readFileSync(path).subarray(0, statSync(path).size / 2)),
  // Changes one digit of a secret or a digest, which a schema accepts.
  changed: (path) =>
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(
        /([0-9a-f]{20})([0-9a-f])/,
        (_, before, digit) => `${before}${digit === '0' ? '1' : '0'}`,
      ),
    ),
  gone: (path) => rmSync(path),
  'a folder in its place': (path) => {
    rmSync(path);
    mkdirSync(join(path, 'inside'), { recursive: true });
  },
};

test('picture and pairing survive any damage to one small file, with and without a server', {
  timeout: 120_000,
}, async (t) => {
  const kit = await agentRig(t);
  const { id } = kit.publish('one');
  const first = await kit.boot();
  await stateAt(first.url, playing(id));
  await kit.site.heard('that it is ready', (message) => message.type === 'program.ready');
  await first.agent.stop();
  const state = join(kit.data, 'state');
  const pristine = join(kit.folder, 'pristine');
  const paired = readFileSync(join(state, 'identity.json'), 'utf8');
  renameSync(kit.data, pristine);
  const files = readdirSync(join(pristine, 'state'));
  for (const name of ['identity', 'current', `program-${id}`])
    assert.ok(files.includes(`${name}.json`) && files.includes(`${name}.copy.json`), `${name} is there twice`);
  let cases = 0;
  for (const isThere of [false, true]) {
    if (!isThere) await kit.site.stop();
    else await kit.site.start(Number(new URL(kit.site.origin).port));
    for (const file of files)
      for (const [damage, strike] of Object.entries(DAMAGES)) {
        // With the server, only some of the cases are tested.
        if (isThere && (file.endsWith('.copy.json') || !/gone|changed/.test(damage))) continue;
        rmSync(kit.data, { recursive: true, force: true });
        cpSync(pristine, kit.data, { recursive: true });
        strike(join(state, file));
        kit.site.received.length = 0;
        const { agent, url } = await kit.boot();
        const what = `${file}, ${damage}, ${isThere ? 'with' : 'without'} its server`;
        const now = await stateAt(url, () => true);
        assert.ok(playing(id)(now), `${what}: ${now.phase} ${kit.log.lines.slice(-4).join('; ')}`);
        if (isThere && damage === 'gone') await kit.site.heard(what, (message) => message.type === 'program.ready');
        await agent.stop();
        const kept = JSON.parse(readFileSync(join(state, 'identity.json'), 'utf8'));
        assert.equal(kept.secret, JSON.parse(paired).secret, what);
        assert.ok(existsSync(join(state, file)) && statSync(join(state, file)).isFile(), `${what}: it is there again`);
        cases++;
      }
  }
  t.diagnostic(`${cases} cases of ${files.length} files`);
});

test('player reads the files of an older version, and an older version can read the current files', async (t) => {
  const kit = await agentRig(t);
  const { id } = kit.publish('one');
  const first = await kit.boot();
  await stateAt(first.url, playing(id));
  await first.agent.stop();
  const state = join(kit.data, 'state');
  const text = readFileSync(join(state, 'identity.json'), 'utf8');
  // Reads a file like the older version does, which knows one file per document and the same fields.
  const { sealed, ...plain } = JSON.parse(text) as Record<string, unknown>;
  assert.match(String(sealed), /^\d+ [0-9a-f]{64}$/);
  for (const file of readdirSync(state)) if (file.endsWith('.copy.json')) rmSync(join(state, file));
  for (const name of ['identity', 'current']) {
    const { sealed: _, ...kept } = JSON.parse(readFileSync(join(state, `${name}.json`), 'utf8')) as Record<
      string,
      unknown
    >;
    writeFileSync(join(state, `${name}.json`), JSON.stringify(kept));
  }
  await kit.site.stop();
  const again = await kit.boot();
  assert.ok(playing(id)(await stateAt(again.url, () => true)));
  await again.agent.stop();
  assert.equal(JSON.parse(readFileSync(join(state, 'identity.copy.json'), 'utf8')).secret, plain.secret);

  // The older version ran in between and was unpaired. It has no second copies, so it left them behind.
  writeFileSync(join(state, 'identity.json'), JSON.stringify({ ...plain, secret: 'ab'.repeat(32), paired: null }));
  for (const name of ['current', 'placement', `program-${id}`]) rmSync(join(state, `${name}.json`), { force: true });
  const after = await kit.boot();
  assert.equal((await stateAt(after.url, () => true)).phase, 'searching', 'what it forgot does not come back');
  await after.agent.stop();
  assert.deepEqual(
    readdirSync(state).filter((file) => /^(current|program)/.test(file)),
    [],
  );
});

test('player without a current document and without a server plays the newest program on disk', async (t) => {
  const kit = await agentRig(t);
  kit.publish('one');
  const first = await kit.boot();
  const { id: newest } = kit.publish('two');
  await stateAt(first.url, playing(newest));
  await first.agent.stop();
  await kit.site.stop();
  for (const file of ['current.json', 'current.copy.json']) writeFileSync(join(kit.data, 'state', file), '');
  const { url } = await kit.boot();
  const now = await stateAt(url, () => true);
  assert.ok(playing(newest)(now));
});

test('folders and journal can be removed during operation, and the next program and start work', {
  timeout: 60_000,
}, async (t) => {
  for (const gone of [
    ['journal.db'],
    ['assets', 'state', 'widgets', 'journal.db', 'journal.db-wal', 'journal.db.alive'],
  ]) {
    const kit = await agentRig(t);
    const { id: before } = kit.publish('one');
    const { agent, url } = await kit.boot();
    await stateAt(url, playing(before));
    kit.site.silent = true; // plays wait
    await tell(url, [shown('before', Date.now()), ended('before', Date.now() + 10)]);
    for (const name of gone) rmSync(join(kit.data, name), { recursive: true, force: true });
    const { id: next } = kit.publish('one', 'two');
    const now = await stateAt(url, playing(next));
    assert.ok(now.phase === 'playing' && now.program);
    for (const { sha256 } of now.program.assets)
      assert.equal((await fetch(`${url}assets/${sha256}`)).status, 200, `${gone}: ${sha256}`);
    await tell(url, [shown('after', Date.now()), ended('after', Date.now() + 10)]);
    await agent.stop();
    // After the removal, the programs are only in memory until the next check, or the next message of the server,
    // writes them again.
    kit.site.silent = false;
    const again = await kit.boot();
    await stateAt(again.url, playing(next));
    const names = new Set<string>();
    await kit.site.heard(`both plays, ${gone}`, (message) => {
      if (message.type === 'plays') for (const play of message.plays) names.add(play.content_name);
      return names.has('before') && names.has('after');
    });
    await again.agent.stop();
    await kit.site.stop();
  }
});

const tell = async (url: string, reports: object[]) => assert.equal((await report(url, reports)).status, 204);

test('visible play of a player that is killed ends within half a second of the kill and is not completed', {
  timeout: 90_000,
}, async (t) => {
  const site = await FakeSite.open(t);
  const data = join(folderFor(t), 'data');
  site.publish(programOf([]).program);
  const killedAt = new Map<string, number>();
  for (const [i, after] of [1_150, 1_900, 2_450].entries()) {
    const { url, child } = await kiosk(t, site.origin, data);
    await stateAt(url, (state: ScreenState) => state.phase === 'playing');
    const turn = `turn-${i}`;
    await tell(url, [ALIVE, shown(turn, Date.now(), 60_000)]);
    const painting = setInterval(() => void tell(url, [ALIVE]).catch(() => {}), 1_000);
    await pause(after);
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    killedAt.set(turn, Date.now());
    clearInterval(painting);
    await closed;
  }
  const last = await kiosk(t, site.origin, data);
  const plays = new Map<string, { ended_at: number; completed: boolean }>();
  await site.heard('all plays', (message) => {
    if (message.type === 'plays') for (const play of message.plays) plays.set(play.content_name, play);
    return plays.size === killedAt.size;
  });
  for (const [turn, at] of killedAt) {
    const off = at - (plays.get(turn)?.ended_at ?? 0);
    t.diagnostic(`${turn}: ${off} ms short`);
    assert.ok(off > -100 && off <= 600, `${turn} ends ${off} ms before the kill`);
    assert.equal(plays.get(turn)?.completed, false);
  }
  const closed = once(last.child, 'close');
  last.child.kill('SIGKILL');
  await closed;
});
