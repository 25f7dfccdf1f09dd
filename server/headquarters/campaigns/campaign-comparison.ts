/**
 * Compares a campaign with its running edition, and with its request for approval: would a start build another document?
 * Results are cached until the campaign or the library changes.
 */
import { createHash } from 'node:crypto';
import type { CampaignDoc } from '../../../shared/chain/campaign.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { Parts } from '../../kernel/parts.ts';
import { recent } from '../../kernel/time/recent.ts';
import { buildDocument, type CampaignLibrary } from './campaign-document.ts';
import type { CampaignLibraryStore } from './campaign-library.store.ts';
import { decidedOf } from './campaign-row.ts';
import type { CampaignRow } from './campaigns.store.ts';

/** Limit of cached comparisons of a campaign with its running edition, or with its request for approval. */
const MAX_REMEMBERED = 2_000;
/** Topics of records that a document is built from. */
const LIBRARY: ReadonlySet<string> = new Set(['content', 'playlists', 'layouts', 'widgets', 'kiosk']);

interface Deps extends Pick<Parts, 'db' | 'bus'> {
  readonly library: Pick<CampaignLibraryStore, 'of'>;
}

export class CampaignComparison {
  readonly #deps: Deps;
  /** Cached results of comparisons, by campaign. Each is valid while its key is unchanged. */
  readonly #changed = recent<string, { readonly key: string; readonly isChanged: boolean }>(MAX_REMEMBERED);
  /** Counter that grows with each change of the library. */
  #libraryChanges = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.bus.on('changed', ({ topic }) => {
      if (LIBRARY.has(topic)) this.#libraryChanges++;
    });
    deps.db.onLost(() => this.#changed.clear());
  }

  /**
   * Returns whether a campaign that waits for approval was changed after its request. A request without a recorded hash
   * (from an older version) counts as unchanged. Reads the database, because a change in the same turn of the event
   * loop is not announced yet.
   */
  isStale(row: CampaignRow): boolean {
    const { state, asked_sha256, workspace_id } = row;
    if (state !== 'waiting' || asked_sha256 === null) return false;
    return orUndefined(() => askedHashOf(this.#deps.library.of(workspace_id), row)) !== asked_sha256;
  }

  /** Cached form of `isStale`: at most one computation for each change of the campaign or of the library. */
  isKnownStale(row: CampaignRow): boolean {
    if (row.state !== 'waiting') return false;
    const key = `${row.revision} ${this.#libraryChanges}`;
    const known = this.#changed.get(`asked ${row.id}`);
    if (known?.key === key) return known.isChanged;
    const isChanged = this.isStale(row);
    this.#changed.set(`asked ${row.id}`, { key, isChanged });
    return isChanged;
  }

  /** Builds the document at most once for each change of the campaign or of the library. */
  isChanged(row: CampaignRow, live: { edition: number; doc: string; body: string }): boolean {
    const key = `${row.revision} ${this.#libraryChanges}`;
    const known = this.#changed.get(row.id);
    if (known?.key === key) return known.isChanged;
    const isChanged = this.#differs(row, live);
    this.#changed.set(row.id, { key, isChanged });
    return isChanged;
  }

  #differs(row: CampaignRow, { edition, doc, body }: { edition: number; doc: string; body: string }): boolean {
    const { id: _, ...decided } = decidedOf(row);
    if (!isSameBut(decided, JSON.parse(body) as typeof decided, 'note')) return true;
    const { made_ms } = JSON.parse(doc) as CampaignDoc;
    try {
      return buildDocument(this.#deps.library.of(row.workspace_id), decidedOf(row), { edition, made_ms }).text !== doc;
    } catch {
      // The campaign could not be started now, so it differs.
      return true;
    }
  }
}

/**
 * Returns the hash of the document that a start would build, independent of its edition number.
 * @throws ApiError 409
 * when the campaign could not be started
 */
export const askedHashOf = (library: CampaignLibrary, row: CampaignRow): string => {
  const { text } = buildDocument(library, decidedOf(row), { edition: 1, made_ms: 0 });
  return createHash('sha256').update(text).digest('hex');
};

/** Returns undefined when the call throws an ApiError. */
const orUndefined = <T>(ask: () => T): T | undefined => {
  try {
    return ask();
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
};

/** Returns whether two bodies are equal except for one field. */
const isSameBut = <T extends object>(one: T, other: T, member: keyof T): boolean =>
  JSON.stringify({ ...one, [member]: null }) === JSON.stringify({ ...other, [member]: null });
