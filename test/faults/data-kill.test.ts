/**
 * Kills the server (kill -9) at random moments of upload, publish, delete, backup, migration and plays. After each
 * restart, the database is intact, every acknowledged change is there, no file is missing and no file is left over.
 * VITRINE_KILLS is the number of kills (default 12; 200 for the full proof), and VITRINE_SEED repeats a run.
 */
// Suite: long
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { loadIdentity } from '../../server/identity.ts';
import { checkArchive } from '../../server/upkeep/backup/archive.ts';
import { picture } from '../api/media.ts';
import { tempFolder } from '../harness.ts';
import { DEVICE, PlayerClient, playOf } from '../player-client.ts';
import { audit, Ledger, Register } from './data-ledger.ts';
import {
  ask,
  callTo,
  claimScreen,
  formWith,
  gone,
  launch,
  type NotStarted,
  registerOwner,
  type Screen,
} from './data-server.ts';
import { oldDatabase } from './old-database.ts';

const KILLS = Number(process.env['VITRINE_KILLS'] ?? 12);
const SEED = Number(process.env['VITRINE_SEED'] ?? Date.now() % 1_000_000);
/** Time limit in milliseconds. After a start, the server removes the files that a crash left, in the background. */
const TIDY_MS = 8_000;

/** Random generator (mulberry32). The same seed gives the same moments, as far as the machine repeats its timing. */
const randomOf = (seed: number) => {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
};

interface Shop {
  readonly data: string;
  readonly token: string;
  readonly ledger: Ledger;
  readonly device: Screen;
  readonly random: () => number;
  alive: boolean;
  sequence: number;
}

const found = async (t: TestContext, data: string, random: () => number): Promise<Shop> => {
  const { child, up } = launch(data);
  t.after(() => child.kill('SIGKILL'));
  const origin = await up;
  const token = await registerOwner(origin);
  const call = callTo(origin, token);
  const { screen: device, player } = await claimScreen(origin, call);
  player.socket.terminate();
  const ledger = new Ledger();
  for (let i = 0; i < 3; i++) {
    const playlist = (await call('POST', '/api/playlists', { name: `list ${i}` })).body;
    const content = (await call('POST', '/api/content', formWith('a.gif', picture(`base ${i}`)))).body;
    await call('POST', `/api/playlists/${playlist.id}/items`, { content_id: content.id });
    ledger.names.set(playlist.id, new Register(`list ${i}`));
    ledger.published.set(playlist.id, new Register(''));
    ledger.contents.add(content.id);
  }
  child.kill('SIGKILL');
  await gone(child);
  return { data, token, ledger, device, random, alive: false, sequence: 0 };
};

/**
 * Kinds of changes. Each worker makes changes of one kind until the server is gone, and records the requests that were
 * answered.
 */
const workers: ((shop: Shop, origin: string) => Promise<void>)[] = [
  async function uploads(shop, origin) {
    const { ledger, token, random } = shop;
    while (shop.alive) {
      const bytes = picture(randomBytes(random() < 0.3 ? 2_000_000 : 2_000).toString('latin1'));
      const { status, body } = await ask(origin, 'POST', '/api/content', { token, body: formWith('a.gif', bytes) });
      if (status === 201) ledger.contents.add(body.id);
    }
  },
  async function deletions(shop, origin) {
    const { ledger, token } = shop;
    while (shop.alive) {
      // Deletes contents from the middle of the list: the first three are used in playlists, and the last ones must
      // stay.
      const id = ledger.contents.size > 6 ? [...ledger.contents].slice(3)[Math.floor(shop.random() * 3)] : undefined;
      if (id === undefined) {
        await pause(20);
        continue;
      }
      // From now on the content may or may not exist, because the deletion is sent and not answered.
      ledger.contents.delete(id);
      const { status } = await ask(origin, 'DELETE', `/api/content/${id}`, { token });
      if (status === 200) ledger.deleted.add(id);
    }
  },
  async function publishing(shop, origin) {
    const { ledger, token, random } = shop;
    const lists = [...ledger.names.keys()];
    while (shop.alive) {
      const id = lists[Math.floor(random() * lists.length)]!;
      const name = `name ${shop.sequence++}`;
      ledger.names.get(id)!.sending(name);
      if ((await ask(origin, 'PUT', `/api/playlists/${id}`, { token, body: { name } })).status === 200)
        ledger.names.get(id)!.acknowledged(name);
      const items = await ask(origin, 'GET', `/api/playlists/${id}/items`, { token });
      const item = items.body?.[0]?.id;
      if (item === undefined) continue;
      const duration = 1 + (shop.sequence++ % 1_000_000);
      if (
        (await ask(origin, 'PUT', `/api/playlists/${id}/items/${item}`, { token, body: { duration_sec: duration } }))
          .status !== 200
      )
        continue;
      ledger.published.get(id)!.sending(String(duration));
      if ((await ask(origin, 'POST', `/api/playlists/${id}/publish`, { token })).status === 200)
        ledger.published.get(id)!.acknowledged(String(duration));
    }
  },
  async function playing(shop, origin) {
    const { ledger, device } = shop;
    const player = new PlayerClient(origin);
    player.socket.on('error', () => {});
    const lost = player.closed.then(() => Promise.reject(new Error('gone')));
    lost.catch(() => {});
    try {
      await player.opened;
      player.say({ type: 'hello', protocol: 1, device_id: device.id, secret: device.secret, device: DEVICE });
      await Promise.race([player.next('welcome'), lost]);
      while (shop.alive) {
        // Sends plays like a player: without acknowledgement, the same plays are sent again in the same order with the
        // same numbers.
        const waiting = [...ledger.plays].filter(([, acknowledged]) => !acknowledged).map(([id]) => id);
        while (waiting.length < 20) {
          const id = `play-${ledger.plays.size}`;
          ledger.plays.set(id, false);
          waiting.push(id);
        }
        const first = Number(waiting[0]!.slice(5)) + 1;
        player.say({ type: 'plays', first, plays: waiting.map((id) => playOf({ id })) });
        const { through } = (await Promise.race([player.next('plays.ack'), lost])) as unknown as { through: number };
        for (const id of waiting) if (Number(id.slice(5)) + 1 <= through) ledger.plays.set(id, true);
      }
    } catch {
      // The connection is lost because the server was killed.
    } finally {
      player.socket.terminate();
    }
  },
  async function backups(shop, origin) {
    while (shop.alive) {
      const { status, body } = await ask(origin, 'POST', '/api/server/backups', {
        token: shop.token,
        body: { complete: shop.random() < 0.5 },
      });
      if (status === 201) shop.ledger.backups.add(body.name);
      await pause(20);
    }
  },
];

const settled = async (look: () => string[]): Promise<string[]> => {
  const deadline = performance.now() + TIDY_MS;
  for (;;) {
    const wrong = look();
    if (wrong.length === 0 || performance.now() > deadline) return wrong;
    await pause(100);
  }
};

test(`after each of ${KILLS} kills, exactly the acknowledged changes are there`, {
  timeout: 30_000 + KILLS * 10_000,
}, async (t) => {
  t.diagnostic(`VITRINE_SEED=${SEED}`);
  const random = randomOf(SEED);
  const shop = await found(t, tempFolder(t), random);
  let [during, backups] = [0, 0];
  for (let kill = 1; kill <= KILLS + 1; kill++) {
    const { child, up, said } = launch(shop.data);
    t.after(() => child.kill('SIGKILL'));
    // Sometimes kills the server before it is ready.
    if (kill <= KILLS && random() < 0.15) {
      await pause(random() * 500);
      child.kill('SIGKILL');
      await gone(child);
      continue;
    }
    const origin = await up.catch((error: NotStarted) => assert.fail(`start ${kill}: ${error.message}`));
    const wrong = await settled(() => audit(shop.data, shop.ledger));
    assert.deepEqual(wrong, [], `after kill ${kill - 1}; the server said: ${said()}`);
    const folder = join(shop.data, 'backups');
    const there = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.vitrine')) : [];
    for (const name of shop.ledger.backups) {
      // The server keeps only seven backups, so an older one may be gone. Each existing backup must be whole.
      if (there.includes(name)) checkArchive(join(folder, name));
    }
    backups = Math.max(backups, shop.ledger.backups.size);
    if (kill > KILLS) {
      child.kill('SIGTERM');
      await gone(child);
      assert.equal(child.exitCode, 0);
      break;
    }
    shop.alive = true;
    const work = Promise.allSettled(workers.map((worker) => worker(shop, origin)));
    await pause(20 + random() * 1500);
    child.kill('SIGKILL');
    shop.alive = false;
    during++;
    await gone(child);
    await work;
  }
  t.diagnostic(
    `${during} kills during work; ${shop.ledger.contents.size} contents, ${shop.ledger.deleted.size} deletions, ${[...shop.ledger.plays.values()].filter(Boolean).length} plays and ${backups} backups acknowledged`,
  );
  assert.ok(shop.ledger.deleted.size > 0 || KILLS < 20);
});

test('migration that is killed has happened completely or not at all', {
  timeout: 60_000 + KILLS * 2_000,
}, async (t) => {
  const [template, random] = [join(tempFolder(t), 'old.db'), randomOf(SEED + 1)];
  oldDatabase(template, 20_000);
  for (let kill = 0; kill < Math.ceil(KILLS / 5); kill++) {
    const data = tempFolder(t);
    copyFileSync(template, join(data, 'vitrine.db'));
    loadIdentity(data);
    const first = launch(data);
    await pause(100 + random() * 500);
    first.child.kill('SIGKILL');
    await gone(first.child);
    const second = launch(data);
    t.after(() => second.child.kill('SIGKILL'));
    const origin = await second.up;
    assert.equal((await ask(origin, 'GET', '/api/health')).status, 200);
    second.child.kill('SIGTERM');
    await gone(second.child);
    const db = new Database(join(data, 'vitrine.db'), { readonly: true });
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok');
    assert.equal(db.prepare('SELECT count(*) FROM plays').pluck().get(), 20_000);
    db.close();
  }
});
