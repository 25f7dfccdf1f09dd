/** Measures uploads and downloads of files. */
import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { type Child, startBare, startServer } from './child.ts';
import { hammer, someoneElse } from './load.ts';
import { type Group, must } from './row.ts';
import { addStore, seed, TOKEN } from './seed.ts';

const BOUNDARY = 'bench-boundary';
const FILE_MB = 200;

/**
 * Returns the bytes of a sound file with noise, which is realistic content for a sound. No two files have the same
 * bytes.
 */
export const recording = (bytes: number): Buffer[] => {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(bytes - 8, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(2, 22);
  head.writeUInt32LE(48_000, 24);
  head.writeUInt32LE(192_000, 28);
  head.writeUInt16LE(4, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(bytes - 44, 40);
  const block = randomBytes(1024 * 1024);
  const parts: Buffer[] = [head];
  for (let left = bytes - head.length; left > 0; left -= block.length)
    parts.push(block.subarray(0, Math.min(left, block.length)));
  return parts;
};

export const upload = (
  port: number,
  path: string,
  name: string,
  type: string,
  parts: readonly Buffer[],
): Promise<{ status: number; body: any }> =>
  new Promise((done, fail) => {
    const head = Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`,
    );
    const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
    const length = parts.reduce((sum, part) => sum + part.length, head.length + tail.length);
    const req = request(
      {
        port,
        host: '127.0.0.1',
        path,
        method: 'POST',
        headers: {
          Authorization: `Bearer ${TOKEN}`,
          'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
          'Content-Length': length,
        },
      },
      (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () =>
          done({ status: res.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString() || 'null') }),
        );
      },
    );
    req.on('error', fail);
    const all = [head, ...parts, tail];
    const next = () => {
      while (all.length > 0) if (!req.write(all.shift()!)) return void req.once('drain', next);
      req.end();
    };
    next();
  });

const fourAtATime = async <T>(jobs: readonly (() => Promise<T>)[]): Promise<T[]> => {
  const left = [...jobs];
  const results: T[] = [];
  const worker = async () => {
    for (let job = left.shift(); job; job = left.shift()) results.push(await job());
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  return results;
};

/** Photos of twelve megapixels with realistic detail, each of them different. */
const photos = async (count: number): Promise<Buffer[]> => {
  const noise = await sharp({
    create: {
      width: 1000,
      height: 750,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
    .png()
    .toBuffer();
  const one = await sharp(noise).resize(4000, 3000).jpeg({ quality: 85 }).toBuffer();
  // A comment segment after the first marker makes each file unique.
  return Array.from({ length: count }, (_, n) =>
    Buffer.concat([
      one.subarray(0, 2),
      Buffer.from([0xff, 0xfe, 0, 6]),
      Buffer.from(String(n).padStart(4, '0')),
      one.subarray(2),
    ]),
  );
};

const measured = async (jobs: readonly (() => Promise<{ status: number; body: any }>)[], server?: Child) => {
  const other = server && someoneElse({ port: server.port, path: '/api/folders', token: TOKEN });
  const at = performance.now();
  const answers = await fourAtATime(jobs);
  const seconds = (performance.now() - at) / 1000;
  const wait = await other?.stop();
  const wrong = answers.find((answer) => answer.status >= 300);
  must(!wrong, `an upload answered ${wrong?.status} ${JSON.stringify(wrong?.body)}`);
  return { seconds, answers, p99Ms: wait?.p99Ms ?? Number.NaN, maxMs: wait?.maxMs ?? Number.NaN };
};

export const fileRows: Group = {
  rows: [
    { key: 'upload', what: 'upload of 200 MB, 4 at a time, hashed', unit: 'MB/s', budget: 300, better: 'more' },
    { key: 'uploadWait', what: 'others wait meanwhile, p99', unit: 'ms', budget: 20, better: 'less' },
    { key: 'photos', what: 'upload of photos of 12 MP, 4 at a time', unit: '/s', budget: 40, better: 'more' },
    { key: 'photosAlone', what: 'the same, one at a time', unit: '/s', budget: 25, better: 'more' },
    { key: 'photosWait', what: 'others wait meanwhile, p99', unit: 'ms', budget: 20, better: 'less' },
    { key: 'files', what: 'serving files, 16 readers', unit: 'MB/s', budget: 1800, better: 'more', bareThere: 1560 },
    {
      key: 'ranges',
      what: 'serving files in ranges of 1 MB, 16 readers',
      unit: 'MB/s',
      budget: 1400,
      better: 'more',
      bareThere: 1320,
    },
  ],
  async run({ folder, wants, report }) {
    const data = join(folder, 'files');
    seed(data, addStore);
    const server = await startServer(data);
    try {
      const send = (parts: readonly Buffer[], name: string, type: string) => () =>
        upload(server.port, '/api/content', name, type, parts);
      if (wants('upload') || wants('uploadWait')) {
        const files = Array.from({ length: 6 }, () => recording(FILE_MB * 1e6));
        const ours = await measured(
          files.map((parts, n) => send(parts, `recording-${n}.wav`, 'audio/wav')),
          server,
        );
        const bare = await startBare('upload', folder);
        const theirs = await measured(files.map((parts) => () => upload(bare.port, '/', 'x', 'audio/wav', parts)));
        await bare.stop();
        const megabytes = files.length * FILE_MB;
        if (wants('upload'))
          report('upload', {
            value: megabytes / ours.seconds,
            bare: megabytes / theirs.seconds,
            note: 'bare: a stream into a file, hashed, not synced',
          });
        if (wants('uploadWait')) report('uploadWait', { value: ours.p99Ms, note: `worst ${ours.maxMs.toFixed(0)}` });
      }
      if (wants('photos') || wants('photosAlone') || wants('photosWait')) {
        const all = await photos(104);
        await measured(all.slice(0, 4).map((photo, n) => send([photo], `warm-${n}.jpg`, 'image/jpeg')));
        const jobs = all.slice(4).map((photo, n) => send([photo], `photo-${n}.jpg`, 'image/jpeg'));
        const ours = await measured(jobs.slice(0, 80), server);
        if (wants('photosAlone')) {
          const began = performance.now();
          for (const job of jobs.slice(80)) must((await job()).status === 201, 'a photo was refused');
          report('photosAlone', { value: 20 / ((performance.now() - began) / 1000) });
        }
        const at = performance.now();
        for (const photo of all.slice(4, 14)) await sharp(photo).resize(400, 400, { fit: 'inside' }).webp().toBuffer();
        const bare = 10 / ((performance.now() - at) / 1000);
        if (wants('photos'))
          report('photos', {
            value: 80 / ours.seconds,
            bare,
            note: `${Math.round(all[0]!.length / 1000)} kB each; bare: sharp making the thumbnail, one after the other`,
          });
        if (wants('photosWait')) report('photosWait', { value: ours.p99Ms, note: `worst ${ours.maxMs.toFixed(0)}` });
      }
      if (wants('files') || wants('ranges')) await serving(server, folder, wants, report);
    } finally {
      await server.stop();
    }
  },
};

const serving = async (
  server: Child,
  folder: string,
  wants: (key: string) => boolean,
  report: (key: string, measured: { value: number; bare: number; note?: string }) => void,
) => {
  const parts = recording(32e6);
  const file = join(folder, 'served.wav');
  writeFileSync(file, Buffer.concat(parts));
  const { body } = await upload(server.port, '/api/content', 'served.wav', 'audio/wav', parts);
  const path = `/api/content/${body.id}/file`;
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: { Authorization: `Bearer ${TOKEN}` },
  });
  const right = createHash('sha256').update(Buffer.concat(parts)).digest('hex');
  must(
    createHash('sha256')
      .update(Buffer.from(await answer.arrayBuffer()))
      .digest('hex') === right,
    'the file served is not the one uploaded',
  );
  const bare = await startBare('files', file);
  try {
    const both = async (headers: Record<string, string>) => {
      const ours = await hammer({ port: server.port, path, token: TOKEN, connections: 16, ms: 3000, headers });
      const theirs = await hammer({ port: bare.port, path: '/file', connections: 16, ms: 3000, headers });
      return { value: ours.mbPerSecond, bare: theirs.mbPerSecond };
    };
    if (wants('files')) report('files', { ...(await both({})), note: 'bare: createReadStream with blocks of 256 kB' });
    if (wants('ranges')) report('ranges', await both({ Range: 'bytes=5000000-5999999' }));
  } finally {
    await bare.stop();
  }
};
