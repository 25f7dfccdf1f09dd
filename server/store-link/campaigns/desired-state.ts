/**
 * Stores and applies what headquarters wants a store to show. A newer signed state is accepted, its documents and files
 * are fetched (fetcher.ts), and complete campaigns reach the screens in one write transaction. Until then, and after
 * any error, screens keep their current content.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import {
  blobsOf,
  type CampaignBlob,
  CampaignDoc,
  DesiredDoc,
  desiredText,
  type SignedDesired,
} from '../../../shared/chain/campaign.ts';
import { namesUsedByDoc, picked, type Values } from '../../../shared/chain/values.ts';
import { parseLocal } from '../../../shared/program/civil.ts';
import { zoneOf } from '../../../shared/program/zones.ts';
import type { Topic } from '../../../shared/protocol/live.ts';
import { announce } from '../../kernel/bus.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { Incidents } from '../membership/incidents.ts';
import { type CampaignRow, type CampaignsStore, type Effective, type KeptValues, Taken } from './campaigns.store.ts';
import { combine } from './combined.ts';
import { filledDoc, whyNot } from './filled.ts';

/** Topics of all records that campaigns change. Admin windows that show one of these topics reload. */
const TOPICS: readonly Topic[] = ['content', 'widgets', 'layouts', 'playlists', 'schedules', 'chain'];

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> {
  readonly store: CampaignsStore;
  readonly incidents: Incidents;
  readonly workspaceId: string;
  /** Id of this store at headquarters. */
  readonly storeRef: string;
  /** Public key of headquarters: SubjectPublicKeyInfo, hex. */
  readonly key: string;
  /** Time zone of the store's screens, in which the start of a campaign is computed. */
  readonly timezone: () => string;
}

/** The next document or file to fetch. */
export type Missing =
  | { readonly what: 'document'; readonly campaign: string; readonly sha256: string; readonly bytes: number }
  | { readonly what: 'file'; readonly campaign: string; readonly file: CampaignBlob };

/** A parsed document with the files and values that it needs. */
interface Read {
  readonly doc: CampaignDoc;
  readonly files: readonly CampaignBlob[];
  /** Names of the store values that the document uses. */
  readonly values: readonly string[];
  /** Start of the campaign in this store, in epoch milliseconds. */
  readonly begins: number;
}

interface Known {
  readonly row: CampaignRow;
  readonly wanted: Read | undefined;
  readonly applied: Read | undefined;
}

/** A wanted campaign and its progress on this server. */
export interface Progress {
  readonly id: string;
  readonly edition: number;
  readonly refused: string | null;
  /**
   * The edition that screens show. Null if there is none, or if headquarters was restored and has made an edition with
   * the same number but other content.
   */
  readonly applied: number | null;
  /** The parsed document; undefined: not received yet. */
  readonly doc: CampaignDoc | undefined;
  /** Missing files. If the document itself is missing, the list contains only the document. */
  readonly lacking: readonly Pick<CampaignBlob, 'sha256' | 'size'>[];
}

export class DesiredState {
  readonly #deps: Deps;
  /** Parsed campaigns, read again after each write transaction. `#read` caches parsed documents by their text. */
  #known: readonly Known[] | undefined;
  #read = new Map<string, Read>();
  /** Missing files of all campaigns. */
  #lacking: ReadonlySet<string> = new Set();
  /**
   * Files that were missing when an incomplete campaign was last applied; undefined if no incomplete campaign was
   * applied since the start of the server.
   */
  #carriedWithout: string | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Revision of the newest accepted state. */
  get rev(): number {
    const { store, workspaceId } = this.#deps;
    return store.rev(workspaceId);
  }

  /**
   * Accepts a state that headquarters has signed and that is newer than the stored state. Any other state changes
   * nothing.
   * @param asked revision at the time of the request; for a pushed state, the current revision
   * @returns whether the state was accepted
   */
  accept({ text, signature }: SignedDesired, asked = this.rev): boolean {
    const { store, workspaceId, storeRef, key, clock } = this.#deps;
    const isSigned = verify(
      null,
      Buffer.from(desiredText(text)),
      createPublicKey({ key: Buffer.from(key, 'hex'), format: 'der', type: 'spki' }),
      Buffer.from(signature, 'hex'),
    );
    if (!isSigned) return this.#refuse('is not signed by headquarters');
    const parsed = DesiredDoc.safeParse(jsonOf(text));
    // Refuses a state that this version cannot read, for example from a newer headquarters.
    if (!parsed.success) return this.#refuse('comes from a newer version of Vitrine: update Vitrine on this server');
    const { store: ref, rev, values = {}, campaigns } = parsed.data;
    if (ref !== storeRef) return this.#refuse('is for another store');
    if (rev === this.rev) return false;
    // Ignores the answer, because headquarters has pushed a newer state while the answer was on its way.
    if (rev < this.rev && rev > asked) return false;
    if (rev < this.rev)
      return this.#refuse(`has the revision ${rev}, but this server already has the revision ${this.rev}`);
    const filled = this.#filledBy(values);
    this.#write(() => {
      store.want(workspaceId, { rev, values, campaigns, at: seconds(clock) });
      for (const campaign of filled) store.setRefused(workspaceId, campaign, null);
    });
    this.carryOut();
    return true;
  }

  /** Returns the campaigns that were refused for missing values, and for which no value is missing any more. */
  #filledBy(values: Values): string[] {
    const { store, workspaceId } = this.#deps;
    const { wanted: before } = store.values(workspaceId);
    return this.#campaigns.flatMap(({ row, wanted }) =>
      wanted && whyNot(wanted.doc, before) !== undefined && whyNot(wanted.doc, values) === undefined
        ? row.campaign
        : [],
    );
  }

  /**
   * Returns the documents and files to fetch, in order: documents first, then the files of the campaign that begins
   * first.
   */
  missing(): Missing[] {
    const open = this.#campaigns.filter(({ row }) => row.wanted !== null && row.refused === null);
    const documents = open.flatMap(({ row: { campaign, sha256, bytes }, wanted }): Missing[] =>
      wanted ? [] : [{ what: 'document', campaign, sha256, bytes }],
    );
    const files = open
      .flatMap(({ wanted }) => wanted ?? [])
      .sort((a, b) => a.begins - b.begins)
      .flatMap(({ doc, files }) =>
        files.flatMap((file): Missing[] =>
          this.#lacking.has(file.sha256) ? [{ what: 'file', campaign: doc.id, file }] : [],
        ),
      );
    return [...documents, ...files];
  }

  /** Hashes of the documents and files of campaigns that this server already has. */
  get has(): string[] {
    const all = this.#campaigns.flatMap(({ row, wanted, applied }) => [
      ...(wanted ? [row.sha256] : []),
      ...[wanted, applied].flatMap((read) => read?.files ?? []).map(({ sha256 }) => sha256),
    ]);
    return [...new Set(all)].filter((sha256) => !this.#lacking.has(sha256));
  }

  /** Returns the progress of each wanted campaign. */
  progress(): Progress[] {
    return this.#campaigns.flatMap(({ row, wanted }): Progress[] => {
      const { campaign: id, wanted: edition, refused, sha256, bytes } = row;
      if (edition === null) return [];
      const applied = row.applied === edition && row.applied_doc !== row.doc ? null : row.applied;
      const lacking = wanted
        ? wanted.files.filter((file) => this.#lacking.has(file.sha256))
        : [{ sha256, size: bytes }];
      return [{ id, edition, refused, applied, doc: wanted?.doc, lacking }];
    });
  }

  /** Returns the start of the next campaign, epoch milliseconds; Infinity: none. */
  get nextStart(): number {
    const now = this.#deps.clock.now();
    const starts = this.#campaigns.flatMap(({ wanted }) => (wanted && wanted.begins > now ? wanted.begins : []));
    return Math.min(...starts, Number.POSITIVE_INFINITY);
  }

  /** Stores the received document of a campaign. @param bytes with a verified hash */
  documentCame(campaign: string, bytes: Buffer): void {
    const { store, workspaceId } = this.#deps;
    const text = bytes.toString();
    const row = this.#rowOf(campaign);
    if (!row || row.sha256 !== sha256(text)) return;
    const parsed = CampaignDoc.safeParse(jsonOf(text));
    if (!parsed.success)
      return this.refuse(
        campaign,
        'The campaign comes from a newer version of Vitrine: update Vitrine on this server.',
      );
    if (parsed.data.id !== campaign || parsed.data.edition !== row.wanted)
      return this.refuse(campaign, 'The received campaign is not the campaign that headquarters announced.');
    this.#write(() => store.setDoc(workspaceId, parsed.data, text, blobsOf(parsed.data)));
    this.carryOut();
  }

  /** Records a file that is now in the media store, and applies the campaigns that this file completes. */
  fileCame(file: CampaignBlob): void {
    const { db, store, clock } = this.#deps;
    db.write(() => store.addFile(file, seconds(clock)));
    this.#look();
    const isDue = ({ wanted }: Known) =>
      wanted?.files.some(({ sha256 }) => sha256 === file.sha256) && (this.#isWhole(wanted) || this.#isInParts(wanted));
    if (this.#campaigns.some(isDue)) this.carryOut();
  }

  /** Refuses a campaign with a reason; screens keep their current content. */
  refuse(campaign: string, why: string): void {
    const { store, workspaceId } = this.#deps;
    const row = this.#rowOf(campaign);
    if (!row || row.refused === why) return;
    this.#write(() => {
      store.setRefused(workspaceId, campaign, why);
      this.addIncident(campaign, why);
    });
  }

  /** Adds an incident, because a campaign cannot be shown for now. */
  addIncident(campaign: string, why: string): void {
    const { workspaceId, incidents } = this.#deps;
    const name = this.#rowOf(campaign)?.name || campaign;
    incidents.add(workspaceId, 'campaign_refused', `The campaign ${name} cannot be shown. ${why}`);
  }

  /**
   * Applies campaigns that are complete, and campaigns that may be shown incomplete and have begun. Called regularly,
   * because campaigns begin over time.
   */
  carryOut(): void {
    const { db, bus, store, workspaceId, clock, activity, timezone } = this.#deps;
    // The campaigns are read again from the database, because a full disk may have discarded an earlier write
    // transaction.
    this.#known = undefined;
    const values = store.values(workspaceId);
    this.#lookAtValues(values);
    const rows = this.#campaigns.map(({ row }) => row);
    const effective = this.#effective(values);
    const applied = rows.filter((row) => row.applied !== null);
    const isAsBefore =
      effective.length === applied.length &&
      effective.every(({ doc, text, isWhole }) =>
        applied.some(
          (row) => row.campaign === doc.id && row.applied_doc === text && row.is_whole === (isWhole ? 1 : 0),
        ),
      ) &&
      effective.every(({ doc, values: shown }) => isSame(shown, values.applied[doc.id] ?? {})) &&
      rows.every(({ wanted, applied: edition }) => wanted !== null || edition !== null);
    // An incomplete campaign is applied again only when more of its files have arrived.
    const lacking = effective.every(({ isWhole }) => isWhole) ? '' : [...this.#lacking].sort().join();
    if (isAsBefore && (lacking === '' || lacking === this.#carriedWithout)) return;
    const combined = combine(
      effective.map(({ doc, values: shown }) => filledDoc(doc, shown)),
      (sha) => !this.#lacking.has(sha),
    );
    try {
      this.#write(() => {
        store.apply(workspaceId, effective, combined, { timezone: timezone(), at: seconds(clock) });
        for (const { doc, isWhole } of effective) {
          const row = applied.find(({ campaign }) => campaign === doc.id);
          if (isWhole) store.setArmed(workspaceId, doc.id, seconds(clock));
          if (row?.applied === doc.edition) continue;
          activity.add({
            workspaceId,
            actor: null,
            action: 'chain.campaign_applied',
            details: `${doc.name} (${doc.edition})`,
          });
        }
        for (const { campaign, name } of applied)
          if (!effective.some(({ doc }) => doc.id === campaign))
            activity.add({ workspaceId, actor: null, action: 'chain.campaign_ended', details: name });
        for (const topic of TOPICS) announce({ db, bus }, { workspaceId, userId: null }, { topic });
        db.afterCommit(() => {
          this.#carriedWithout = lacking;
        });
      });
    } catch (error) {
      if (!(error instanceof Taken)) throw error;
      for (const { doc, text } of effective)
        if (!applied.some((row) => row.applied_doc === text)) this.refuse(doc.id, error.message);
    }
  }

  /** Returns what screens should show now, for each campaign. */
  #effective(values: KeptValues): Effective[] {
    return this.#campaigns.flatMap(({ row, wanted, applied }): Effective[] => {
      const { campaign } = row;
      if (wanted && row.refused === null && (this.#isWhole(wanted) || this.#isInParts(wanted)))
        return [
          {
            doc: wanted.doc,
            text: row.doc!,
            isWhole: this.#isWhole(wanted),
            values: picked(values.wanted, wanted.values),
          },
        ];
      if (row.wanted === null || !applied) return [];
      // If a value is now missing, the campaign keeps the values with which it was applied.
      const isFilled = whyNot(applied.doc, values.wanted) === undefined;
      return [
        {
          doc: applied.doc,
          text: row.applied_doc!,
          isWhole: this.#isWhole(applied),
          values: isFilled ? picked(values.wanted, applied.values) : (values.applied[campaign] ?? {}),
        },
      ];
    });
  }

  /**
   * Refuses each campaign that lacks a value of this store. The refusal is lifted when headquarters sends the value.
   */
  #lookAtValues({ wanted: values }: KeptValues): void {
    for (const { row, wanted } of this.#campaigns) {
      const why = wanted && whyNot(wanted.doc, values);
      if (why !== undefined) this.refuse(row.campaign, why);
    }
  }

  #isWhole({ files }: Read): boolean {
    return files.every(({ sha256 }) => !this.#lacking.has(sha256));
  }

  /** Returns whether the campaign has begun and may be shown without all its files. */
  #isInParts({ doc, begins }: Read): boolean {
    return doc.begins === 'parts' && begins <= this.#deps.clock.now();
  }

  get #campaigns(): readonly Known[] {
    if (this.#known) return this.#known;
    const { store, workspaceId } = this.#deps;
    const before = this.#read;
    this.#read = new Map();
    const read = (text: string | null): Read | undefined => {
      if (text === null) return undefined;
      const known = before.get(text) ?? this.#read.get(text) ?? this.#readDoc(text);
      this.#read.set(text, known);
      return known;
    };
    this.#known = store
      .all(workspaceId)
      .map((row) => ({ row, wanted: row.wanted === null ? undefined : read(row.doc), applied: read(row.applied_doc) }));
    this.#look();
    return this.#known;
  }

  #readDoc(text: string): Read {
    const doc = CampaignDoc.parse(JSON.parse(text));
    const values = [...namesUsedByDoc(doc).keys()];
    return { doc, files: blobsOf(doc), values, begins: startOf(doc, this.#deps.timezone()) };
  }

  /** Finds out which files are missing. A file that people of the store have uploaded does not count as missing. */
  #look(): void {
    const files = this.#campaigns.flatMap(({ wanted, applied }) => [
      ...(wanted?.files ?? []),
      ...(applied && applied !== wanted ? applied.files : []),
    ]);
    this.#lacking = new Set(this.#deps.store.lacking(files.map(({ sha256 }) => sha256)));
  }

  #rowOf(campaign: string): CampaignRow | undefined {
    return this.#campaigns.find(({ row }) => row.campaign === campaign)?.row;
  }

  #write(work: () => void): void {
    try {
      this.#deps.db.write(work);
    } finally {
      this.#known = undefined;
    }
  }

  #refuse(why: string): false {
    const { db, incidents, workspaceId } = this.#deps;
    db.write(() =>
      incidents.add(
        workspaceId,
        'desired_refused',
        `The instructions from headquarters were not accepted: the document ${why}. Screens keep their current content.`,
      ),
    );
    return false;
  }
}

/** A start time that the clock change skips moves forward. If the start time is invalid, the campaign never starts. */
const startOf = ({ start_time }: CampaignDoc, timezone: string): number => {
  try {
    return zoneOf(timezone).toInstant(parseLocal(start_time));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
};

const isSame = (one: Values, other: Values): boolean => JSON.stringify(one) === JSON.stringify(other);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
