/** Uploads of well-behaved clients, and of misbehaving clients. */
import { request } from 'node:http';
import type { Site } from './harness.ts';

type Answer = { status: number; headers: Headers; body: any };

const answerOf = async (response: Response): Promise<Answer> => ({
  status: response.status,
  headers: response.headers,
  body: await response.json(),
});

/** A form with one file, as a browser sends it. */
export const upload = async (
  site: Pick<Site, 'origin'>,
  token: string,
  bytes: Buffer,
  name = 'picture.jpg',
  options: {
    method?: string;
    path?: string;
    field?: string;
    type?: string;
    headers?: Record<string, string> | undefined;
  } = {},
): Promise<Answer> => {
  const form = new FormData();
  form.set(
    options.field ?? 'file',
    new Blob([new Uint8Array(bytes)], { type: options.type ?? 'application/octet-stream' }),
    name,
  );
  return answerOf(
    await fetch(`${site.origin}${options.path ?? '/api/content'}`, {
      method: options.method ?? 'POST',
      headers: { Authorization: `Bearer ${token}`, ...options.headers },
      body: form,
    }),
  );
};

/** Uploads with a multipart part header written by hand: browsers encode characters that some clients send raw. */
export const uploadRaw = async (
  site: Site,
  token: string,
  bytes: Buffer,
  disposition: string,
  boundary = 'raw-boundary',
): Promise<Answer> => {
  const body = Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n`, 'utf8'),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': `multipart/form-data; boundary=${boundary}` };
  return answerOf(await fetch(`${site.origin}/api/content`, { method: 'POST', headers, body: new Uint8Array(body) }));
};

/** Announces more bytes than it sends, then disconnects. Resolves when the connection is closed. */
export const uploadAndVanish = (
  site: Pick<Site, 'origin'>,
  token: string,
  bytes: Buffer,
  path = '/api/content',
): Promise<void> =>
  new Promise((gone) => {
    const head = Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n');
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'multipart/form-data; boundary=b',
      'Content-Length': head.length + bytes.length * 2,
    };
    const req = request(`${site.origin}${path}`, { method: 'POST', headers });
    req.on('error', () => {});
    req.on('close', () => gone());
    req.write(head);
    req.write(bytes, () => req.destroy());
  });

/** Repeats the request until the answer satisfies the condition. Throws after 15 s. */
export const until = async <T>(ask: () => Promise<T>, satisfied: (answer: T) => boolean): Promise<T> => {
  const deadline = performance.now() + 15_000;
  for (;;) {
    const answer = await ask();
    if (satisfied(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`Still not so after 15 s: ${JSON.stringify(answer)}`);
    await new Promise((again) => setTimeout(again, 20));
  }
};
