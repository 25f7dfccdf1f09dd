/** A store with one screen, as users start it: server and agent in separate processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { plainJpeg, type Rgb } from '../../player/screen/testing/pictures.ts';
import type { Child } from './child.ts';

const ROOT = join(import.meta.dirname, '../..');
const PATIENCE_MS = 60_000;

export const until = async <T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> => {
  for (const deadline = Date.now() + PATIENCE_MS; ; await new Promise((next) => setTimeout(next, 100))) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${PATIENCE_MS / 1000} s`);
  }
};

export class Shop {
  readonly #origin: string;
  #token = '';

  constructor(server: Child) {
    this.#origin = `http://127.0.0.1:${server.port}`;
  }

  get origin(): string {
    return this.#origin;
  }

  async open(): Promise<void> {
    this.#token = (
      await this.call('POST', '/api/auth/register', {
        email: 'owner@store.test',
        password: 'correct horse',
        name: 'Owner',
      })
    ).token;
  }

  async call(method: string, path: string, body?: unknown): Promise<any> {
    const headers = {
      ...(this.#token && { Authorization: `Bearer ${this.#token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    };
    const answer = await fetch(`${this.#origin}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  }

  async upload(name: string, bytes: Buffer): Promise<string> {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(bytes)]), name);
    const answer = await fetch(`${this.#origin}/api/content`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.#token}` },
      body: form,
    });
    if (!answer.ok) throw new Error(`upload answered ${answer.status}`);
    return ((await answer.json()) as { id: string }).id;
  }

  /**
   * Claims the only waiting player. Resolves with the id of its device as soon as the player has the playlist on its
   * disk.
   */
  async pair(playlist: string): Promise<string> {
    const pending_id = await until(
      'the player comes',
      async () => (await this.call('GET', '/api/devices/pending'))[0]?.pending_id as string | undefined,
    );
    const { id } = await this.call('POST', '/api/devices/pair', { pending_id });
    await this.call('POST', `/api/playlists/${playlist}/assign`, { device_id: id });
    await until(
      'the program is ready',
      async () =>
        (await this.call('GET', `/api/devices/${id}`)).program?.state === 'ready' &&
        (await this.call('GET', `/api/devices/${id}`)).current_playlist_id === playlist,
    );
    return id;
  }
}

export interface AgentProcess {
  readonly child: ChildProcess;
  readonly url: string;
  stop(): Promise<void>;
}

export const startAgent = async (data: string, server: string): Promise<AgentProcess> => {
  const child = spawn(
    process.execPath,
    ['dist/programs/player-main.js', '--server', server, '--data', data, '--name', 'bench', '--no-window'],
    {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, NODE_OPTIONS: '' },
    },
  );
  const ended = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on(
      'line',
      (line) => line.startsWith('screen: ') && resolve(line.slice(8)),
    );
    ended.then(() => reject(new Error('the agent ended')), reject);
  });
  return {
    child,
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};

/** Data that {@link watchPage} leaves in the page. */
interface Watched {
  /** Milliseconds from the start of loading to the paint of the first picture. */
  firstPicture?: number;
  late: { item: number | null; ms: number }[];
  faults: number;
}
export type WatchedPage = typeof globalThis & { watched: Watched };

/** Runs in the page before its scripts. Records the paint of the first picture and the page's reports to its agent. */
export function watchPage(): void {
  const watched: Watched = { late: [], faults: 0 };
  (globalThis as WatchedPage).watched = watched;
  const observer = new MutationObserver(() => {
    if (!document.querySelector('.slot.front > img, .slot.front video.lit')) return;
    observer.disconnect();
    // Waits for two frames: the first contains the change, and the second begins after the first is painted.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        watched.firstPicture = performance.now();
      }),
    );
  });
  observer.observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] });
  const { fetch } = globalThis;
  globalThis.fetch = (address, init) => {
    if (String(address).endsWith('/report')) {
      for (const report of JSON.parse(String(init?.body))) {
        if (report.type === 'shown') watched.late.push({ item: report.item_id, ms: report.late_ms });
        if (report.type === 'fault') watched.faults++;
      }
    }
    return fetch(address, init);
  };
}

/** Returns a picture with the detail of a photograph, since a picture of one colour would decode too fast. */
export const photo = async (colour: Rgb): Promise<Buffer> => {
  const { default: sharp } = await import('sharp');
  const noise = await sharp({
    create: {
      width: 1920,
      height: 1080,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 24 },
    },
  })
    .blur(1.2)
    .png()
    .toBuffer();
  return sharp(await plainJpeg(colour))
    .composite([{ input: noise, blend: 'overlay' }])
    .jpeg({ quality: 88 })
    .toBuffer();
};
