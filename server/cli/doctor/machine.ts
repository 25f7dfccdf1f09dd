import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, totalmem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { JUMP_MS } from '../../kernel/time/trusted-time.ts';
import { findFfmpeg } from '../../media/ffmpeg.ts';
import { levelOf } from '../../upkeep/disk/disk-watch.ts';
import { size } from '../command.ts';
import { checkOf, type Look } from './check.ts';
import { newestInstant, trustedInstant } from './database.store.ts';
import { sleep } from './sleep.ts';

const LEAST_MEMORY = 200 * 1024 * 1024;
/** Date in epoch milliseconds. A clock before this date is wrong, because this program did not exist then. */
const BEFORE_VITRINE = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
const check = checkOf('machine');
const iso = (ms: number): string => new Date(ms).toISOString();

export const machine: Look = async ({ data }) => [
  node(),
  memory(),
  ...folder(data),
  ...(await clock(data)),
  ...(await sleep()),
  await ffmpeg(),
];

const node = () =>
  Number(process.versions.node.split('.')[0]) >= 24
    ? check('ok', `Node ${process.versions.node}`)
    : check('bad', `Node ${process.versions.node} is too old. Vitrine needs Node 24 or newer.`);

const memory = () => {
  const free = freemem();
  const text = `${size(free)} of ${size(totalmem())} memory free`;
  return free < LEAST_MEMORY ? check('warn', `${text}: little for a server. Close other programs.`) : check('ok', text);
};

const folder = (data: string) => {
  if (!existsSync(data)) {
    const parent = join(data, '..');
    return [
      check('ok', `${data} is not there yet; the server makes it${existsSync(parent) ? '' : ', and its folder'}.`),
    ];
  }
  const probe = join(data, `.doctor-${process.pid}`);
  try {
    accessSync(data, constants.W_OK);
    mkdirSync(probe);
    writeFileSync(join(probe, 'x'), Buffer.alloc(4096));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const what =
      code === 'ENOSPC'
        ? 'The disk is full. Free some space.'
        : `It cannot be written (${code}). Give the server's user the right to write there.`;
    return [check('bad', `${data}: ${what}`)];
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
  const { bavail, bsize, blocks } = statfsSync(data);
  const level = levelOf(bavail * bsize, blocks * bsize, null);
  const text = `${data} can be written, ${size(bavail * bsize)} of ${size(blocks * bsize)} are free`;
  return [
    level === 'ok'
      ? check('ok', text)
      : check(level === 'full' ? 'bad' : 'warn', `${text}: the disk is getting full. Delete what is no longer used.`),
  ];
};

/**
 * Compares the computer's clock with times that the server has recorded in the database, because without the internet
 * there is no other source of time.
 */
const clock = async (data: string) => {
  const now = Date.now();
  if (now < BEFORE_VITRINE)
    return [check('bad', `The clock says ${iso(now)}, which is long past. Set it: schedules and reports go by it.`)];
  const trusted = trustedInstant(join(data, 'vitrine.db'));
  if (trusted?.doubtful && Math.abs(now - trusted.sure_ms) > JUMP_MS) {
    return [
      check(
        'bad',
        `The server doubts the clock: it says ${iso(now)}, and it was ${iso(trusted.sure_ms)} when the server was last sure. Until then nothing old is deleted, no backup is removed, and plays wait on the screens. Set the clock, or confirm in the admin window, under Server, that the time is right.`,
      ),
    ];
  }
  const newest = newestInstant(join(data, 'vitrine.db'));
  if (newest !== undefined && newest - now > HOUR_MS) {
    return [
      check('bad', `The clock is behind: it says ${iso(now)}, and this server has records of ${iso(newest)}. Set it.`),
    ];
  }
  const synced = await isSynchronized();
  if (synced === false)
    return [
      check(
        'warn',
        `The clock (${iso(now)}) is set by nothing. Screens follow the server's clock, so they agree with each other all the same; set up a time server for the right time of day.`,
      ),
    ];
  return [
    check(
      'ok',
      `The clock says ${iso(now)}${synced ? ' and is synchronized' : ''}; zone ${Intl.DateTimeFormat().resolvedOptions().timeZone}`,
    ),
  ];
};

/** Returns a value that the operating system reports; undefined when the system does not report it. */
const isSynchronized = async (): Promise<boolean | undefined> => {
  if (process.platform !== 'linux') return undefined;
  try {
    const { stdout } = await promisify(execFile)('timedatectl', ['show', '-p', 'NTPSynchronized', '--value'], {
      timeout: 2000,
    });
    return stdout.trim() === 'yes' ? true : stdout.trim() === 'no' ? false : undefined;
  } catch {
    return undefined;
  }
};

const ffmpeg = async () =>
  (await findFfmpeg())
    ? check('ok', 'ffmpeg is there')
    : check(
        'warn',
        'ffmpeg was not found: videos play, but have no thumbnails and cannot be converted. Install ffmpeg.',
      );
