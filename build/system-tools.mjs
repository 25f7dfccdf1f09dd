/** Finds the system programs that tests use, or installs them with apt if possible. */
import { onPath, run, say } from './install.mjs';

const tools = [
  {
    names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    packages: ['chromium', 'fonts-liberation'],
    what: 'Chromium, in which pages and screens are tested',
  },
  { names: ['ffmpeg'], packages: ['ffmpeg'], what: 'ffmpeg, for thumbnails of videos' },
  {
    names: ['cc', 'gcc'],
    packages: ['gcc', 'libc6-dev'],
    what: 'a C compiler, for disks that fail in tests',
    linuxOnly: true,
  },
  {
    names: ['Xvfb'],
    packages: ['xvfb', 'xdotool', 'openbox'],
    what: 'a display and a keyboard, for what passers-by press',
    linuxOnly: true,
  },
  {
    names: ['pulseaudio'],
    packages: ['pulseaudio', 'pulseaudio-utils'],
    what: 'PulseAudio, to hear whether a muted page is silent',
    linuxOnly: true,
  },
  {
    names: ['nats-server'],
    packages: ['nats-server'],
    what: 'nats-server, the hub by which stores of a chain may come to headquarters',
    linuxOnly: true,
  },
  {
    // Paths outside of the PATH where Debian installs these programs.
    names: ['initdb', '/usr/lib/postgresql/15/bin/initdb', '/usr/lib/postgresql/17/bin/initdb'],
    packages: ['postgresql'],
    what: 'PostgreSQL, in which headquarters of a chain may have its plays',
    linuxOnly: true,
  },
  { names: ['curl'], packages: ['curl'], what: 'curl, for the commands of docs/integrating' },
  { names: ['jq'], packages: ['jq'], what: 'jq, for the commands of docs/integrating' },
  { names: ['openssl'], packages: ['openssl'], what: 'openssl, for the commands of docs/integrating' },
  { names: ['ip'], packages: ['iproute2'], what: 'ip, to join two hosts in network namespaces', linuxOnly: true },
];

/**
 * Whether this is a disposable machine with sudo. On a person's machine, tests that are not run by root install
 * nothing.
 */
const throwAway = process.env.CI === 'true';

const isThere = ({ linuxOnly, names }) => (linuxOnly && process.platform !== 'linux') || Boolean(onPath(...names));

/**
 * Installs missing programs. Never throws: missing programs are reported, and tests that need them fail or are skipped
 * with a reason.
 * @param wanted first names of tools;
 * @default all
 */
export const ensureSystemTools = async (wanted = tools.map(({ names }) => names[0])) => {
  // Tests also look in sbin, which contains administration programs and is not on every PATH.
  if (process.getuid?.() === 0) process.env.PATH = `${process.env.PATH}:/usr/sbin:/sbin`;
  let missing = tools.filter((tool) => wanted.includes(tool.names[0]) && !isThere(tool));
  if (missing.length === 0) return;
  const packages = missing.flatMap((tool) => tool.packages);
  const asRoot = process.getuid?.() === 0 ? [] : throwAway ? ['sudo', '-n'] : undefined;
  if (onPath('apt-get') && asRoot) {
    say(`Installing ${packages.join(', ')} …`);
    const apt = (...args) => {
      const [program, ...rest] = [...asRoot, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args];
      return run(program, rest);
    };
    const install = ['install', '-y', '--no-install-recommends', ...packages];
    let result = await apt(...install);
    if (result.code !== 0) {
      await apt('update');
      result = await apt(...install);
    }
    if (result.code !== 0) say(result.output.trim().split('\n').slice(-5).join('\n'));
    missing = missing.filter((tool) => !isThere(tool));
  }
  for (const tool of missing)
    say(`Missing on this computer: ${tool.what}. Install ${tool.packages.join(', ')} for the tests that need it.`);
};
