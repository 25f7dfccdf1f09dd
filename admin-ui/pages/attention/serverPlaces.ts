/** Maps each problem of the server to the settings page and section where it can be solved. */
import { isProblem, type ProblemCode } from '../../../shared/contract/problems.ts';

type Page = 'overview' | 'names' | 'notices' | 'mail';
/** Backups have their own settings page. */
type Place = 'backups' | { readonly page: Page; readonly part: string };

const OVERVIEW: Place = { page: 'overview', part: 'reach' };
const STORAGE: Place = { page: 'overview', part: 'storage' };
const HTTPS: Place = { page: 'names', part: 'https' };
const NOTICES: Place = { page: 'notices', part: 'notices' };

export const PROBLEM_PLACES: Readonly<Record<ProblemCode, Place>> = {
  database_failing: STORAGE,
  database_damaged: 'backups',
  keys_missing: 'backups',
  disk_full: STORAGE,
  postgres_failing: OVERVIEW,
  media_damaged: 'backups',
  https_failing: HTTPS,
  media_missing: 'backups',
  backup_failed: 'backups',
  backup_damaged: 'backups',
  backup_old: 'backups',
  clock_doubtful: OVERVIEW,
  disk_low: STORAGE,
  hub_failing: OVERVIEW,
  certificate_ends: HTTPS,
  mail_failing: { page: 'mail', part: 'mail' },
  webhook_failing: NOTICES,
  mqtt_failing: NOTICES,
  no_ffmpeg: OVERVIEW,
};

/** @param code may be unknown to this window, from a newer server */
export const placeOf = (code: string): Place => (isProblem(code) ? PROBLEM_PLACES[code] : OVERVIEW);
