/**
 * Hosts on a separate network: a second server beside the right server, and a server whose address changes. Needs Linux
 * and root.
 */
// Suite: long
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { plainJpeg, type Rgb } from '../../player/screen/testing/pictures.ts';
import { tempFolder } from '../harness.ts';
import { type Host, twoHosts, whyNoNamespaces } from '../netns.ts';
import { until } from '../until.ts';
import { RED } from './rig.ts';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Program on a host that sends a request, because the process of the test is not on that network. The argument is the
 * request as JSON. The program prints the body of the answer.
 */
const ASK = `
  const { url, method, token, body, file } = JSON.parse(process.argv[1]);
  const headers = { ...(token && { authorization: 'Bearer ' + token }), ...(body && { 'content-type': 'application/json' }) };
  const form = new FormData();
  if (file) form.set('file', new Blob([Buffer.from(file, 'base64')]), 'picture.jpg');
  const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }), ...(file && { body: form }) });
  process.stdout.write(await answer.text());`;
const ask = (
  host: Host,
  request: { url: string; method?: string; token?: string | undefined; body?: unknown; file?: string },
): any =>
  JSON.parse(
    host.run(process.execPath, '--input-type=module', '-e', ASK, JSON.stringify({ method: 'GET', ...request })),
  );
const STATE = `
  const reader = (await fetch(process.argv[1] + 'events')).body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!/^data: .*\\n\\n/m.test(text)) text += (await reader.read()).value;
  process.stdout.write(/^data: (.*)$/m.exec(text)[1]);
  process.exit(0);`;

class Server {
  readonly host: Host;
  readonly port: number;
  readonly #data: string;
  #child: ChildProcess | undefined;
  #token: string | undefined;

  constructor(t: TestContext, host: Host, port: number) {
    this.host = host;
    this.port = port;
    this.#data = join(tempFolder(t), 'server');
  }

  async start(): Promise<void> {
    this.#child = this.host.start(
      process.execPath,
      [join(ROOT, 'server/main.ts'), '--port', String(this.port), '--data', this.#data],
      { stdio: 'ignore' },
    );
    await until('the server answers', 20_000, () => {
      try {
        return this.call('/api/health').status === 'ok';
      } catch {
        return false;
      }
    });
    this.#token ??= this.call('/api/auth/register', {
      email: 'owner@store.test',
      password: 'correct horse',
      name: 'Owner',
    }).token;
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  call(path: string, body?: unknown, file?: string): any {
    const method = body || file ? 'POST' : 'GET';
    return ask(this.host, {
      url: `http://127.0.0.1:${this.port}${path}`,
      method,
      token: this.#token,
      body,
      ...(file && { file }),
    });
  }

  get waiting(): unknown[] {
    return this.call('/api/devices/pending');
  }

  /** Claims the player that shows this code, and assigns it a picture. */
  async claim(code: string, colour: Rgb): Promise<string> {
    const { id } = this.call('/api/devices/pair', { code });
    const content = this.call('/api/content', undefined, (await plainJpeg(colour, 64, 36)).toString('base64'));
    const playlist = this.call('/api/playlists', { name: 'Window' });
    this.call(`/api/playlists/${playlist.id}/items`, { content_id: content.id, duration_sec: 2 });
    this.call(`/api/playlists/${playlist.id}/publish`, {});
    this.call(`/api/playlists/${playlist.id}/assign`, { device_id: id });
    return id;
  }

  isOnline(device: string): boolean {
    return this.call(`/api/devices/${device}`).status === 'online';
  }
}

const startPlayer = async (t: TestContext, host: Host): Promise<{ state: () => any; output: () => string }> => {
  const child = host.start(
    process.execPath,
    [join(ROOT, 'player/main.ts'), '--data', join(tempFolder(t), 'player'), '--no-window', '--name', 'Window'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  await until('the player has started', 20_000, () => /screen: (\S+)/.test(output));
  const page = /screen: (\S+)/.exec(output)?.[1] ?? '';
  return {
    state: () => JSON.parse(host.run(process.execPath, '--input-type=module', '-e', STATE, page)),
    output: () => output,
  };
};

const plays = (state: { phase: string; program?: { assets: unknown[] } | null }): boolean =>
  state.phase === 'playing' && (state.program?.assets.length ?? 0) > 0;

test('screen stays with its own server beside another server, and finds it again after a failure at another address', {
  skip: whyNoNamespaces() ?? false,
  timeout: 150_000,
}, async (t) => {
  const { a, b } = twoHosts(t);
  const servers = [new Server(t, a, 8710), new Server(t, a, 8720)];
  for (const server of servers) await server.start();
  const player = await startPlayer(t, b);
  await until('the player waits at both of them', 30_000, () => servers.every((server) => server.waiting.length > 0));
  const [own, other] = servers as [Server, Server];
  const device = await own.claim(player.state().code, RED);
  await until('it plays', 15_000, () => plays(player.state()));

  own.kill();
  await pause(7_000);
  assert.ok(plays(player.state()), 'the picture goes on');
  assert.equal(other.waiting.length, 0, 'it has not gone over to the other');
  await own.start();
  await until('it is back at its own', 30_000, () => own.isOnline(device), 500);

  a.run('ip', 'address', 'del', `${a.address}/24`, 'dev', a.device);
  a.run('ip', 'address', 'add', '10.77.0.99/24', 'dev', a.device);
  const since = Date.now();
  const found = await until(
    'it has found the new address',
    60_000,
    () => /connected to https:\/\/10\.77\.0\.99/.test(player.output()),
    500,
  );
  assert.ok(found);
  t.diagnostic(`reconnected ${((Date.now() - since) / 1000).toFixed(0)} s after the address had changed`);
  assert.ok(plays(player.state()), 'the picture has gone on');
  assert.ok(own.isOnline(device));
  assert.equal(other.waiting.length, 0);
});
