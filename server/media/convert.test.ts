import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { clip } from '../../test/sample-media.ts';
import { conversionArguments, convertFile, largestResult } from './convert.ts';
import { findFfmpeg } from './ffmpeg.ts';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-convert-'));
after(() => rmSync(folder, { recursive: true }));
const output = join(folder, 'out.mp4');
const input = { path: join(folder, 'in'), mime: 'video/x-matroska', kind: 'video', durationSec: 0.4 } as const;
const quiet = { signal: new AbortController().signal, limitMs: 60_000, onProgress: () => {} };

test('conversion keeps the aspect ratio, makes width and height even, and never enlarges a picture', async () => {
  const ffmpeg = (await findFfmpeg())!;
  const cases: readonly [size: string, filter: string, result: string][] = [
    ['321x181', 'null', '320x180'],
    ['2x2', 'null', '2x2'],
    ['1080x1920', 'null', '1080x1920'],
    ['1440x2560', 'null', '1080x1920'],
    ['2400x1080', 'null', '1920x864'],
    // The conversion stretches pictures whose pixels are not square, so that the result has square pixels.
    ['720x576', 'setsar=64/45', '1024x576'],
  ];
  for (const [size, filter, result] of cases) {
    const bytes = await clip('mkv', `-f lavfi -i color=s=${size}:r=5:d=0.4 -vf ${filter} -c:v ffv1`);
    writeFileSync(input.path, bytes);
    writeFileSync(output, '');
    await convertFile(ffmpeg, conversionArguments(input, output, 1e9)!, quiet);
    const args = ['-v', 'error', '-show_entries', 'stream=width,height,sample_aspect_ratio', '-of', 'csv=p=0', output];
    assert.equal(execFileSync('ffprobe', args).toString().trim(), `${result.replace('x', ',')},1:1`, size);
  }
});

test('conversion of a file that ffmpeg cannot read fails with ffmpeg’s message', async () => {
  const ffmpeg = (await findFfmpeg())!;
  writeFileSync(input.path, 'no video');
  await assert.rejects(convertFile(ffmpeg, conversionArguments(input, output, 1e9)!, quiet), /Invalid data|EBML/);
  writeFileSync(input.path, await clip('mkv', '-f lavfi -i testsrc=s=64x48:r=10:d=2 -c:v libvpx'));
  const told: number[] = [];
  await convertFile(ffmpeg, conversionArguments(input, output, 1e9)!, {
    ...quiet,
    onProgress: (seconds) => told.push(seconds),
  });
  assert.ok(told.at(-1)! > 1.5 && told.at(-1)! <= 2.1, told.join());
});

test('conversion is stopped by its abort signal and by its time limit', async () => {
  const ffmpeg = (await findFfmpeg())!;
  writeFileSync(input.path, await clip('mkv', '-f lavfi -i testsrc=s=1280x720:r=25:d=20 -c:v mpeg4 -qscale 8'));
  const args = conversionArguments(input, output, 1e9)!;
  const abort = new AbortController();
  const running = convertFile(ffmpeg, args, { ...quiet, signal: abort.signal, onProgress: () => abort.abort() });
  await assert.rejects(running, /SIGKILL/);
  await assert.rejects(convertFile(ffmpeg, args, { ...quiet, limitMs: 50 }), /SIGKILL/);
});

test('conversion stops when the server is killed', { skip: process.platform === 'win32' }, async () => {
  writeFileSync(input.path, await clip('mkv', '-f lavfi -i testsrc=s=1280x720:r=25:d=20 -c:v mpeg4 -qscale 8'));
  const args = conversionArguments(input, output, 1e9)!;
  const started = JSON.stringify([await findFfmpeg(), args, { limitMs: 600_000 }]);
  const program = `import { convertFile } from ${JSON.stringify(import.meta.resolve('./convert.ts'))};
    const [ffmpeg, args, options] = ${started};
    const onProgress = () => console.log('running');
    convertFile(ffmpeg, args, { ...options, signal: new AbortController().signal, onProgress });`;
  const server = spawn(process.execPath, ['--no-warnings', '--input-type=module', '--eval', program]);
  await once(server.stdout, 'data');
  const running = () => execFileSync('ps', ['-A', '-o', 'args']).toString().includes(`file:${output}`);
  assert.equal(running(), true);
  server.kill('SIGKILL');
  for (const deadline = performance.now() + 10_000; running() && performance.now() < deadline; )
    await new Promise((again) => setTimeout(again, 50));
  assert.equal(running(), false);
});

test('only known media types are converted, and the maximum size of the result follows from the length', () => {
  assert.equal(conversionArguments({ ...input, mime: 'application/pdf' }, output, 1), undefined);
  assert.equal(largestResult({ kind: 'video', durationSec: null }), undefined);
  assert.equal(largestResult({ kind: 'audio', durationSec: 100 }), 2_448_000);
  assert.ok(largestResult({ kind: 'video', durationSec: 60 })! > 60e6);
});
