/**
 * Prepares the checkout: installs dependencies and finds Node 24. Plain JavaScript for Node 20 with built-in modules
 * only, because this file runs before anything is installed. When everything is installed, it only reads two files.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  open,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const WANTED_NODE = 24;
const windows = process.platform === 'win32';
const pinnedNode = join(root, 'node_modules/node/bin', windows ? 'node.exe' : 'node');
const stampFile = join(root, 'node_modules/.vitrine-install.json');
/** Time limit in milliseconds for downloading ffmpeg. Without ffmpeg, videos still upload and play. */
const FFMPEG_LIMIT_MS = 60_000;
const PROGRESS_LINE_MS = 10_000;

/** Interval in milliseconds at which a waiting start checks the lock. */
const LOOK_MS = 200;

/** Error whose message is for the person at the keyboard. Shown without a stack trace. */
export class Sentence extends Error {}

export const say = (text) => process.stderr.write(`${text}\n`);

const json = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/**
 * Returns a text that node_modules must match: the lock file and the machine (a folder copied from another machine has
 * wrong binaries).
 */
const wantedStamp = () => {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return `${process.platform}-${process.arch}-${createHash('sha256').update(lock).digest('hex')}`;
};

const versionOf = (node) => {
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return Number(/^v(\d+)\./.exec(stdout ?? '')?.[1] ?? 0);
};
const isCurrentNew = () => Number(process.versions.node.split('.')[0]) >= WANTED_NODE;

/** Returns the first of these programs on the PATH; undefined when none is found. */
export const onPath = (...names) => {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(delimiter).filter((each) => isAbsolute(each))) {
      const file = join(folder, windows ? `${name}.exe` : name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {}
    }
  }
  return undefined;
};

/** Returns npm's script if it can be found, because a `.cmd` file cannot be started without a shell. */
const npmCommand = () => {
  const beside = dirname(process.execPath);
  const scripts = [
    process.env.npm_execpath,
    join(beside, 'node_modules/npm/bin/npm-cli.js'),
    join(beside, '../lib/node_modules/npm/bin/npm-cli.js'),
  ];
  const script = scripts.find((file) => file?.endsWith('npm-cli.js') && existsSync(file));
  return script ? { file: process.execPath, args: [script], shell: false } : { file: 'npm', args: [], shell: windows };
};

/** Runs a program; resolves with its exit code (null: not started, or ended by a signal) and its output. */
export const run = (file, args, { limitMs = 0, ...options } = {}) =>
  new Promise((resolve) => {
    const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    const keep = (data) => {
      output = (output + data).slice(-20_000);
    };
    child.stdout?.setEncoding('utf8').on('data', keep);
    child.stderr?.setEncoding('utf8').on('data', keep);
    const timer = limitMs ? setTimeout(() => child.kill('SIGKILL'), limitMs) : undefined;
    // The child must end when this process is interrupted.
    const abandon = () => child.kill();
    const interrupted = () => process.exit(130);
    process.on('exit', abandon).on('SIGINT', interrupted).on('SIGTERM', interrupted);
    const end = (code) => {
      clearTimeout(timer);
      process.off('exit', abandon).off('SIGINT', interrupted).off('SIGTERM', interrupted);
      resolve({ code, output });
    };
    child.on('error', (error) => {
      keep(error.message);
      end(null);
    });
    child.on('close', end);
  });

/**
 * Takes a lock that only one process can have. The system releases the lock when the process ends, for whatever reason.
 * Uses an abstract socket (Linux), a named pipe (Windows), a file opened with O_EXLOCK (macOS; 0x20, which Node has no
 * name for). Resolves with a function that releases the lock; undefined: another process holds it.
 */
const take = (name) =>
  new Promise((resolve, reject) => {
    const failed = (error) => (['EADDRINUSE', 'EAGAIN'].includes(error.code) ? resolve(undefined) : reject(error));
    const id = `vitrine-${name}-${createHash('sha256').update(root).digest('hex')}`;
    // Pads the name to 108 characters. Node 20 does this itself and Node 24 does not, so both must get the same name
    // here.
    const path = { linux: `\0${id}`.padEnd(108, '-'), win32: `\\\\.\\pipe\\${id}` }[process.platform];
    if (path) {
      const server = createServer().on('error', failed);
      return server.listen(path, () => resolve(() => server.close()));
    }
    const flags = constants.O_CREAT | constants.O_RDWR | constants.O_NONBLOCK | 0x20;
    open(join(tmpdir(), id), flags, (error, file) => (error ? failed(error) : resolve(() => closeSync(file))));
  });

/**
 * Runs work that only one process may do at a time: a server and a player started together on a fresh clone must not
 * install or build at the same time.
 */
export const withLock = async (name, work) => {
  let release = await take(name);
  if (!release) say('Waiting for another start of Vitrine in this folder …');
  for (; !release; release = await take(name)) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  try {
    return await work();
  } finally {
    release();
  }
};

/** Shows the number of installed packages, because npm prints no progress into a log. */
const showProgress = () => {
  const suits = ({ os, cpu }) => (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true);
  const packages = Object.entries(json(join(root, 'package-lock.json'))?.packages ?? {});
  const folders = packages.filter(([folder, entry]) => folder && suits(entry)).map(([folder]) => folder);
  const started = Date.now();
  const terminal = process.stderr.isTTY;
  let lastLine = started;
  const timer = setInterval(() => {
    const there = folders.filter((folder) => existsSync(join(root, folder, 'package.json'))).length;
    const line = `  ${there} of about ${folders.length} packages, ${Math.round((Date.now() - started) / 1000)} s`;
    if (terminal) process.stderr.write(`\r${line}  `);
    else if (Date.now() - lastLine >= PROGRESS_LINE_MS) {
      lastLine = Date.now();
      say(line);
    }
  }, 1000);
  return (isInstalled) => {
    clearInterval(timer);
    if (isInstalled)
      say(`${terminal ? '\r' : ''}  installed in ${Math.round((Date.now() - started) / 1000)} s                    `);
  };
};

/** Returns whether a separate `npm ci` has already installed everything required. Optional packages may be missing. */
const isInstalledByHand = () => {
  const wanted = json(join(root, 'package-lock.json'))?.packages;
  const present = json(join(root, 'node_modules/.package-lock.json'))?.packages;
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(
    ([folder, entry]) => !folder || entry.optional || entry.devOptional || present[folder]?.version === entry.version,
  );
};

const NO_WAY_OUT = /ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH/;
const failure = (output) => {
  const reason = output.trim().split('\n').slice(-15).join('\n');
  return new Sentence(
    `npm could not install Vitrine's packages. It said:\n\n${reason}\n\nFor the first start only, this computer needs a way to the npm registry (or to a mirror of it). Start again when it has one.`,
  );
};

/** @throws Sentence when the folder of packages belongs to another checkout, whose packages npm would delete */
const refuseLinkedPackages = () => {
  const folder = join(root, 'node_modules');
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new Sentence(
    `${folder} is a link, and its packages do not match package-lock.json. Remove the link, then start again.`,
  );
};

const npmInstall = async () => {
  refuseLinkedPackages();
  say('Installing what Vitrine needs. This happens once and takes a minute or two.');
  const npm = npmCommand();
  // Tests first whether the registry answers: without a registry, `npm ci` retries silently for more than six minutes.
  const probe = await run(
    npm.file,
    [
      ...npm.args,
      'view',
      'node',
      'name',
      '--fetch-retries=1',
      '--fetch-retry-mintimeout=500',
      '--fetch-timeout=20000',
      '--loglevel=error',
    ],
    { shell: npm.shell },
  );
  if (probe.code !== 0 && NO_WAY_OUT.test(probe.output)) throw failure(probe.output);
  const quiet = [
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--progress=false',
  ];
  // FFMPEG_BIN makes ffmpeg-static skip its download, which can hang for minutes behind a firewall; see fetchFfmpeg.
  const env = { ...process.env, FFMPEG_BIN: process.env.FFMPEG_BIN ?? process.execPath };
  const done = showProgress();
  let result = await run(npm.file, [...npm.args, 'ci', ...quiet], { env, shell: npm.shell });
  // Repeats the installation with `npm install` when `npm ci` refuses the lock file: the file does not match
  // package.json, or npm is very old.
  if (result.code !== 0 && /EUSAGE|in sync|lockfile/.test(result.output))
    result = await run(npm.file, [...npm.args, 'install', '--no-save', ...quiet], { env, shell: npm.shell });
  done(result.code === 0);
  if (result.code !== 0) throw failure(result.output);
};

/** Installs Node where install scripts are disabled: runs the script of the package `node` that downloads Node. */
const installNode = async () => {
  if (versionOf(pinnedNode) >= WANTED_NODE) return pinnedNode;
  if (existsSync(join(root, 'node_modules/node/installArchSpecificPackage.js')) && !isCurrentNew()) {
    say('Fetching Node 24 …');
    const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`;
    await run(process.execPath, ['installArchSpecificPackage.js'], {
      cwd: join(root, 'node_modules/node'),
      env: { ...process.env, PATH: path, npm_config_loglevel: 'error' },
    });
    if (versionOf(pinnedNode) >= WANTED_NODE) return pinnedNode;
  }
  if (isCurrentNew()) return process.execPath;
  throw new Sentence(
    `Vitrine runs on Node ${WANTED_NODE}; this is Node ${process.versions.node}, and the npm package "node" could not be set up. Install Node ${WANTED_NODE} or newer, then start again.`,
  );
};

/** Returns the ffmpeg of ffmpeg-static, downloading it if needed. @returns null when that fails */
export const bundledFfmpeg = async () => {
  const folder = join(root, 'node_modules/ffmpeg-static');
  const program = join(folder, windows ? 'ffmpeg.exe' : 'ffmpeg');
  if (existsSync(program)) return program;
  if (!existsSync(join(folder, 'install.js'))) return null;
  say('Fetching ffmpeg for thumbnails of videos …');
  const { FFMPEG_BIN: _another, ...env } = process.env;
  const { code } = await run(process.execPath, ['install.js'], { cwd: folder, env, limitMs: FFMPEG_LIMIT_MS });
  if (code === 0) return program;
  // A partial file of a failed download is removed. Otherwise the next start would use it as the program.
  rmSync(program, { force: true });
  return null;
};

/**
 * Downloads ffmpeg only if there is none on the PATH. Without ffmpeg the server reports what is missing and continues.
 */
const fetchFfmpeg = async () => {
  if (onPath('ffmpeg') || process.env.FFMPEG_BIN || !existsSync(join(root, 'node_modules/ffmpeg-static'))) return;
  if ((await bundledFfmpeg()) === null)
    say('ffmpeg could not be fetched. Everything but thumbnails of videos works; install ffmpeg for those.');
};

const readyNode = (wanted) => {
  const stamp = json(stampFile);
  return stamp?.for === wanted && existsSync(stamp.node) ? stamp.node : undefined;
};

/**
 * Installs missing dependencies and returns the path of the Node to use.
 * @throws Sentence when the machine cannot be
 * prepared
 */
export const ensureInstalled = async () => {
  const wanted = wantedStamp();
  const ready = readyNode(wanted);
  if (ready) return ready;
  return withLock('install', async () => {
    const meanwhile = readyNode(wanted);
    if (meanwhile) return meanwhile;
    if (!isInstalledByHand()) await npmInstall();
    const [node] = await Promise.all([installNode(), fetchFfmpeg()]);
    writeFileSync(stampFile, JSON.stringify({ for: wanted, node }));
    return node;
  });
};

/** Runs `main`; prints a Sentence as one line and exits with code 1. */
export const command = async (main) => {
  try {
    await main();
  } catch (error) {
    if (error instanceof Sentence) say(error.message);
    else if (error?.code === 'EACCES' || error?.code === 'EROFS')
      say(
        `Vitrine cannot write to its own folder ${root} (${error.code}). Give this user the right to, for the first start.`,
      );
    else say(error?.stack ?? String(error));
    process.exit(1);
  }
};
