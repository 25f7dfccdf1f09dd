/**
 * Tests the sound of pages in frames. The player's own browser plays into a virtual sound card, which the test records.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../test/until.ts';
import { item, placement, playing, program } from '../screen/testing/programs.ts';
import { folderFor } from './testing/folder.ts';
import { misbehaving, needsBrowser, page } from './testing/misbehaving.ts';

const hasEars =
  process.platform === 'linux' && ['pulseaudio', 'parec'].every((name) => spawnSync(name, ['--version']).status === 0);
const options = hasEars ? needsBrowser : { ...needsBrowser, skip: 'no PulseAudio on this machine' };
const HOUR = 3_600_000;
/** Peak value, of at most 32,768, above which sound counts as audible. */
const AUDIBLE = 500;

async function ears(t: TestContext) {
  const folder = folderFor(t);
  const socket = join(folder, 'native');
  const home = { HOME: folder, XDG_RUNTIME_DIR: folder };
  const modules = [`module-native-protocol-unix socket=${socket} auth-anonymous=1`, 'module-null-sink sink_name=ears'];
  const server = spawn(
    'pulseaudio',
    [
      '-n',
      '--daemonize=no',
      '--exit-idle-time=-1',
      '--use-pid-file=no',
      '--disable-shm=yes',
      ...modules.flatMap((each) => ['-L', each]),
    ],
    {
      env: { ...process.env, ...home },
      stdio: 'ignore',
    },
  );
  t.after(() => server.kill('SIGKILL'));
  await until('the sound server', 20_000, () => existsSync(socket));
  const env = { PULSE_SERVER: `unix:${socket}` };
  const listener = spawn(
    'parec',
    ['-d', 'ears.monitor', '--format=s16le', '--rate=8000', '--channels=1', '--latency-msec=50'],
    {
      env: { ...process.env, ...home, ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  t.after(() => listener.kill('SIGKILL'));
  let peak = 0;
  listener.stdout.on('data', (chunk: Buffer) => {
    for (let at = 0; at + 1 < chunk.length; at += 2) peak = Math.max(peak, Math.abs(chunk.readInt16LE(at)));
  });
  const peakOver = async (ms: number): Promise<number> => {
    peak = 0;
    await pause(ms);
    return peak;
  };
  return {
    env,
    /** Starts a new measurement. */
    listen: () => void (peak = 0),
    silentSince: (what: string) => assert.ok(peak < AUDIBLE, `${what}: heard ${peak}`),
    /** Waits until earlier sound has passed through the sound card, and then measures the peak. */
    quiet: async (what: string) => {
      await peakOver(400);
      const heard = await peakOver(900);
      assert.ok(heard < AUDIBLE, `${what}: heard ${heard}`);
    },
    heard: async (what: string, withinMs = 15_000) => {
      const deadline = performance.now() + withinMs;
      while ((await peakOver(100)) < AUDIBLE)
        if (performance.now() > deadline) assert.fail(`${what}: nothing was heard`);
    },
  };
}

/** A WAV file with a loud tone of 440 Hz, 8 bits, mono. */
function wave(): string {
  const [rate, seconds] = [8_000, 2];
  const samples = Buffer.from(
    Array.from({ length: rate * seconds }, (_, i) => 128 + Math.round(100 * Math.sin((i / rate) * 440 * 2 * Math.PI))),
  );
  const head = Buffer.from('524946460000000057415645666d74201000000001000100401f0000401f00000100080064617461', 'hex');
  const length = Buffer.alloc(4);
  length.writeUInt32LE(samples.length);
  head.writeUInt32LE(36 + samples.length, 4);
  return `data:audio/wav;base64,${Buffer.concat([head, length, samples]).toString('base64')}`;
}

const PLAYS = `fetch('/plays', { mode: 'no-cors' })`;
const SOURCES: Readonly<Record<string, string>> = {
  'an audio element that starts by itself': `<audio autoplay loop src="${wave()}" onplaying="${PLAYS}"></audio>`,
  'a sound without an element, which insists on being loud': `<script>
    const sound = new Audio('${wave()}'); sound.loop = true; sound.muted = false; sound.volume = 1;
    sound.play().then(() => { sound.muted = false; ${PLAYS} });</script>`,
  'a tone that is made': `<script>
    const context = new AudioContext(); const tone = context.createOscillator(); const volume = context.createGain();
    tone.connect(volume).connect(context.destination); tone.start(); ${PLAYS};</script>`,
  'a page within the page': `<iframe allow="autoplay *" src="/inner"></iframe>`,
};

test(
  'page is silent while its item or the panel is muted, and a change applies to the running page',
  options,
  async (t) => {
    const { env, listen, silentSince, quiet, heard } = await ears(t);
    const { answers, asked, host, browser, origin } = await misbehaving(t, { env });
    const play = (path: string, muted: boolean, silentPanel = false): void => {
      const wall = silentPanel
        ? {
            wall_id: 'w',
            canvas: { width: 640, height: 360 },
            tile: { x: 0, y: 0, width: 640, height: 360 },
            rotation: 0 as const,
            audio: false,
          }
        : null;
      host.push(
        playing(program([item(1, { kind: 'web', url: `${origin}${path}`, duration_ms: HOUR, muted })]), {
          placement: placement({ wall }),
        }),
      );
    };
    answers.set('/inner', page('#1e3cd2', SOURCES['an audio element that starts by itself']));
    let path = '';
    for (const [at, [what, body]] of Object.entries(SOURCES).entries()) {
      path = `/${at}`;
      answers.set(path, page('#1e3cd2', body));
      listen();
      play(path, true);
      if (at === 0) browser.start();
      await until(`${what} plays`, 20_000, () => asked.filter((each) => each === '/plays').length > at);
      await host.until('shown', () => host.of('shown').length > at);
      silentSince(`${what}, before it is shown`);
      await quiet(`${what}, muted`);
      play(path, false);
      await heard(what);
      play(path, true);
      await quiet(`${what}, muted again`);
    }
    play(path, false);
    await heard('not muted again');
    play(path, false, true);
    await quiet('a panel of a wall that is silent');
  },
);
