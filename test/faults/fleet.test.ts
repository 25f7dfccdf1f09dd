/**
 * A server with 200 players is killed and restarted: all players reconnect soon, but not all at once, and the report
 * contains every play once.
 */
// Suite: journeys
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { reconnectDelay } from '../../player/core/connection/backoff.ts';
import { fromAnywhere } from '../people.ts';
import { DEVICE, hashOf, playOf } from '../player-client.ts';
import { until } from '../until.ts';
import { Shop } from './rig.ts';

const PLAYERS = 200;

/** A simulated player: it reconnects as players do, and sends plays until they are acknowledged. */
class Simulated {
  readonly secret = randomBytes(32).toString('hex');
  deviceId: string | undefined;
  code: string | undefined;
  online = false;
  shown = 0;
  attempts = 0;
  #unsent: object[] = [];
  #acknowledged = 0;
  #socket: WebSocket | undefined;
  #stopped = false;
  readonly #origin: string;

  constructor(t: TestContext, origin: string) {
    this.#origin = origin;
    t.after(() => {
      this.#stopped = true;
      this.#socket?.close();
    });
  }

  connect(): void {
    if (this.#stopped) return;
    const socket = new WebSocket(`${this.#origin.replace('http', 'ws')}/api/player`, 'vitrine.v1');
    this.#socket = socket;
    socket.addEventListener('open', () => {
      const who = this.deviceId
        ? { device_id: this.deviceId, secret: this.secret }
        : { secret_hash: hashOf(this.secret) };
      socket.send(JSON.stringify({ type: 'hello', protocol: 1, device: DEVICE, ...who }));
    });
    socket.addEventListener('message', ({ data }) => this.#hear(JSON.parse(String(data))));
    socket.addEventListener('error', () => {});
    socket.addEventListener('close', () => {
      this.online = false;
      if (!this.#stopped) setTimeout(() => this.connect(), reconnectDelay(this.attempts++, Math.random())).unref();
    });
  }

  play(): void {
    const ended_at = Date.now();
    this.shown++;
    this.#unsent.push(playOf({ started_at: ended_at - 1_000, ended_at }));
    this.#deliver();
  }

  get settled(): boolean {
    return this.#unsent.length === 0;
  }

  #deliver(): void {
    if (this.online && this.#unsent.length > 0)
      this.#socket?.send(JSON.stringify({ type: 'plays', first: this.#acknowledged + 1, plays: this.#unsent }));
  }

  #hear(said: { type: string; [member: string]: any }): void {
    if (said.type === 'pairing') this.code = said.code;
    if (said.type === 'paired') this.deviceId = said.device_id;
    if (said.type === 'welcome') {
      this.online = true;
      this.attempts = 0;
      this.#deliver();
    }
    if (said.type === 'plays.ack' && said.through > this.#acknowledged) {
      this.#unsent = this.#unsent.slice(said.through - this.#acknowledged);
      this.#acknowledged = said.through;
    }
  }
}

test('200 players reconnect to a server that was killed twice, and deliver every play', {
  timeout: 120_000,
}, async (t) => {
  const shop = await Shop.open(t);
  const players = Array.from({ length: PLAYERS }, () => new Simulated(t, shop.origin));
  for (const player of players) player.connect();
  await until('all have a code', 30_000, () => players.every(({ code }) => code));
  for (const { code } of players) await shop.call('POST', '/api/devices/pair', { code }, 201, fromAnywhere());
  await until('all are welcome', 20_000, () => players.every(({ online }) => online));
  const beat = setInterval(() => {
    for (const player of players) player.play();
  }, 500);
  t.after(() => clearInterval(beat));
  for (let kill = 0; kill < 2; kill++) {
    await pause(1_700);
    await shop.kill();
    await until('all have noticed', 5_000, () => players.every(({ online }) => !online));
    await shop.start();
    const since = Date.now();
    await until('all are back', 30_000, () => players.every(({ online }) => online));
    t.diagnostic(`all ${PLAYERS} are back ${Date.now() - since} ms after the server`);
  }
  await pause(1_000);
  clearInterval(beat);
  await until('everything is acknowledged', 20_000, () => players.every(({ settled }) => settled));
  const shown = players.reduce((sum, player) => sum + player.shown, 0);
  const { overall, by_device } = await shop.call('GET', '/api/reports/summary');
  assert.equal(overall.total_plays, shown);
  assert.equal(by_device.length, PLAYERS);
  t.diagnostic(`${shown} plays, each once`);
});
