/**
 * Checks the stores that headquarters has recorded. Reports stores that were silent for long, wait for their enrolment,
 * have an old version, or have a wrong clock.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreTrouble } from '../../../shared/contract/headquarters/stores.ts';
import { compareVersions } from '../../../shared/desktop/update-state.ts';
import { NONE_MISSED } from '../../headquarters/stores/store-registry.ts';
import { troublesOf } from '../../headquarters/stores/store-view.ts';
import { VERSION } from '../../version.ts';
import { type At, type Check, checkOf } from '../doctor/check.ts';
import { type StoreSeen, storesIn } from './headquarters.store.ts';
import { wordsOfMany } from './many.ts';

const check = checkOf('stores');
/**
 * Time in seconds for which a store may send nothing without a warning: a store is closed at night, and its connection
 * may be down for a day.
 */
const LONG_SECONDS = 86_400;
/** If at least this number of stores have a wrong clock, the clock of headquarters itself is probably wrong. */
const MANY = 3;

export const stores = ({ data, inUse }: Pick<At, 'data' | 'inUse'>): Check[] => {
  const all = storesIn(join(data, 'vitrine.db'));
  if (all.length === 0) return [check('ok', 'No store is enrolled yet')];
  const newest = Math.max(0, ...all.map(({ heard_at }) => heard_at ?? 0));
  // Stores cannot report while headquarters is stopped, so their silence is no problem then.
  const now = inUse ? Date.now() / 1000 : newest;
  const isLong = ({ heard_at, enrolled_at }: StoreSeen) => now - (heard_at ?? enrolled_at ?? now) > LONG_SECONDS;
  const [silent, heard] = [all.filter(isLong), all.filter((store) => !isLong(store))];
  const having = (trouble: StoreTrouble) =>
    all.filter((store) =>
      troublesOf({ ...store, line: isLong(store) ? 'down' : 'up', missed: NONE_MISSED }).includes(trouble),
    );
  const found = [
    ...some(
      silent,
      'have not come for a day or longer',
      ({ name, heard_at }) => `${name} (${sinceOf(heard_at)})`,
      'Is each switched on, and does its network let it out to headquarters’ port?',
    ),
    ...pinned(data, silent),
    ...some(
      all.filter(({ doubts }) => doubts),
      'say that whoever answered as headquarters was another',
      nameOf,
      'Look at their incidents under Stores.',
    ),
    ...some(
      having('plays_waiting'),
      'keep many plays that headquarters has not',
      ({ name, presence }) => `${name} (${presence!.waiting})`,
      'They send them by themselves when their line lets them; if this grows, look at their line.',
    ),
    ...some(
      heard.filter(({ presence }) => presence !== null && compareVersions(presence.version, VERSION) < 0),
      `are older than headquarters (${VERSION})`,
      ({ name, presence }) => `${name} (${presence!.version})`,
      'They work; update them when it suits.',
    ),
    ...clocks(having('clock_apart'), heard.length),
    ...some(having('disk_low'), 'have little room on their disk', nameOf, 'Delete there what is no longer used.'),
    ...some(
      having('incidents'),
      'have incidents that nobody has looked at',
      ({ name, incidents }) => `${name} (${incidents})`,
      'Look at them under Stores.',
    ),
  ];
  return found.length > 0 ? found : [check('ok', `${all.length} ${all.length === 1 ? 'store is' : 'stores are'} well`)];
};

const nameOf = ({ name }: StoreSeen): string => name;
const sinceOf = (at: number | null): string =>
  at === null ? 'never' : `since ${new Date(at * 1000).toISOString().slice(0, 16)}Z`;

const some = (
  which: readonly StoreSeen[],
  what: string,
  word: (store: StoreSeen) => string,
  remedy: string,
): Check[] =>
  which.length === 0
    ? []
    : [check('warn', `${which.length} of the stores ${what}: ${wordsOfMany(which.map(word))}. ${remedy}`)];

/** Finds stores that were enrolled with an earlier key of this server and accept only that key. */
const pinned = (data: string, silent: readonly StoreSeen[]): Check[] => {
  const made = statSync(join(data, 'keys', 'server.json'), { throwIfNoEntry: false })?.mtimeMs;
  if (made === undefined) return [];
  const before = silent.filter(({ enrolled_at, heard_at }) => Math.max(enrolled_at ?? 0, heard_at ?? 0) * 1000 < made);
  return some(
    before,
    'were last heard before this server’s key was put in its place',
    nameOf,
    'If it is a new key, they hold headquarters to the old one: bring that back from a backup ("vitrine restore FILE --keys-only"), or enrol them anew.',
  );
};

const clocks = (off: readonly StoreSeen[], heard: number): Check[] => {
  const ahead = off.filter(({ clock_ms }) => clock_ms! > 0).length;
  const together = Math.max(ahead, off.length - ahead);
  if (together >= MANY && together * 2 > heard)
    return [
      check(
        'warn',
        `The clocks of ${together} of ${heard} stores are ${ahead === together ? 'ahead of' : 'behind'} this computer’s: it is this clock that is wrong, most likely. Set it by a time server.`,
      ),
    ];
  return some(
    off,
    'go by another time than this computer',
    ({ name, clock_ms }) => `${name} (${(clock_ms! / 1000).toFixed(1)} s)`,
    'Set their clocks by a time server: plays and schedules go by them.',
  );
};
