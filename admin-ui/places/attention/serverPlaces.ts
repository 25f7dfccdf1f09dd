/** Where what is wrong with the server is mended: a page of its settings, and the part of it. */
import { isProblem, type ProblemCode } from '../../../shared/contract/problems.ts';

type Page = 'overview' | 'names' | 'backups' | 'notices';
interface Place {
  readonly page: Page;
  readonly part: string;
}

const OVERVIEW: Place = { page: 'overview', part: 'reach' };
const STORAGE: Place = { page: 'overview', part: 'storage' };
const BACKUPS: Place = { page: 'backups', part: 'backups' };
const HTTPS: Place = { page: 'names', part: 'https' };
const NOTICES: Place = { page: 'notices', part: 'notices' };

export const PROBLEM_PLACES: Readonly<Record<ProblemCode, Place>> = {
  database_failing: STORAGE,
  database_damaged: BACKUPS,
  keys_missing: BACKUPS,
  disk_full: STORAGE,
  media_damaged: BACKUPS,
  https_failing: HTTPS,
  media_missing: BACKUPS,
  backup_failed: BACKUPS,
  backup_damaged: BACKUPS,
  backup_old: BACKUPS,
  clock_doubtful: OVERVIEW,
  disk_low: STORAGE,
  certificate_ends: HTTPS,
  mail_failing: { page: 'notices', part: 'mail' },
  webhook_failing: NOTICES,
  mqtt_failing: NOTICES,
  no_ffmpeg: OVERVIEW,
};

/** @param code of a newer server it may be one that this window does not know */
export const placeOf = (code: string): Place => (isProblem(code) ? PROBLEM_PLACES[code] : OVERVIEW);
