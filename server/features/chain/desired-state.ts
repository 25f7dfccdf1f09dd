/**
 * What headquarters wants to be shown in a store, kept and carried out: a newer signed state is taken, what it names is
 * fetched (fetcher.ts), and what is whole comes to the screens in one write. Until then, and whatever goes wrong, screens
 * show what they have.
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
import { askedByDoc, picked, type Values } from '../../../shared/chain/values.ts';
import { parseLocal } from '../../../shared/program/civil.ts';
import { zoneOf } from '../../../shared/program/zones.ts';
import type { Topic } from '../../../shared/protocol/live.ts';
import { announce } from '../../kernel/bus.ts';
import { seconds } from '../../kernel/clock.ts';
import type { Parts } from '../../kernel/parts.ts';
import { type CampaignRow, type CampaignsStore, type Effective, type KeptValues, Taken } from './campaigns.store.ts';
import { combine } from './combined.ts';
import { filledDoc, whyNot } from './filled.ts';
import type { Incidents } from './incidents.ts';

/** Everything that campaigns bring: whoever shows some of it reads it anew. */
const TOPICS: readonly Topic[] = ['content', 'widgets', 'layouts', 'playlists', 'schedules', 'chain'];

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> {
  readonly store: CampaignsStore;
  readonly incidents: Incidents;
  readonly workspaceId: string;
  /** Its name in the chain. */
  readonly storeRef: string;
  /** Headquarters' key: SubjectPublicKeyInfo, hex. */
  readonly key: string;
  /** Of the store's screens: when a campaign begins. */
  readonly timezone: () => string;
}

/** What has to be fetched next. */
export type Missing =
  | { readonly what: 'document'; readonly campaign: string; readonly sha256: string; readonly bytes: number }
  | { readonly what: 'file'; readonly campaign: string; readonly file: CampaignBlob };

/** A document, and what it needs. */
interface Read {
  readonly doc: CampaignDoc;
  readonly files: readonly CampaignBlob[];
  /** Names of the store's values that it asks for. */
  readonly values: readonly string[];
  /** When it begins in this store, epoch milliseconds. */
  readonly begins: number;
}

interface Known {
  readonly row: CampaignRow;
  readonly wanted: Read | undefined;
  readonly applied: Read | undefined;
}

/** How far one of the wanted campaigns is on this server. */
export interface Progress {
  readonly id: string;
  readonly edition: number;
  readonly refused: string | null;
  /** The edition that screens have; null also of one that headquarters, put back to before it, has made otherwise. */
  readonly applied: number | null;
  /** Undefined: it has not come yet. */
  readonly doc: CampaignDoc | undefined;
  /** What is not here yet; of one whose document is not, that. */
  readonly lacking: readonly Pick<CampaignBlob, 'sha256' | 'size'>[];
}

export class DesiredState {
  readonly #deps: Deps;
  /** Read once, and again after each write; with what was read of their documents, by text. */
  #known: readonly Known[] | undefined;
  #read = new Map<string, Read>();
  /** Files that are not here, of all campaigns. */
  #lacking: ReadonlySet<string> = new Set();
  /** Files without which something is on screens; undefined: not since this start. */
  #carriedWithout: string | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Of the newest that was taken. */
  get rev(): number {
    const { store, workspaceId } = this.#deps;
    return store.rev(workspaceId);
  }

  /**
   * What is not headquarters', or not newer than what is there, changes nothing.
   * @param asked what there was when it was asked for; where it was told, what there is
   * @returns whether it was taken
   */
  take({ text, signature }: SignedDesired, asked = this.rev): boolean {
    const { store, workspaceId, storeRef, key, clock } = this.#deps;
    const isSigned = verify(
      null,
      Buffer.from(desiredText(text)),
      createPublicKey({ key: Buffer.from(key, 'hex'), format: 'der', type: 'spki' }),
      Buffer.from(signature, 'hex'),
    );
    if (!isSigned) return this.#refuse('is not signed by it');
    const parsed = DesiredDoc.safeParse(jsonOf(text));
    // A newer headquarters: what this version cannot read it cannot do.
    if (!parsed.success) return this.#refuse('is of a newer version than this server: update Vitrine here');
    const { store: ref, rev, values = {}, campaigns } = parsed.data;
    if (ref !== storeRef) return this.#refuse('is for another store');
    if (rev === this.rev) return false;
    // A newer one was told while this answer was on its way.
    if (rev < this.rev && rev > asked) return false;
    if (rev < this.rev) return this.#refuse(`is older (${rev}) than what this server has (${this.rev})`);
    const filled = this.#filledBy(values);
    this.#write(() => {
      store.want(workspaceId, { rev, values, campaigns, at: seconds(clock) });
      for (const campaign of filled) store.setRefused(workspaceId, campaign, null);
    });
    this.carryOut();
    return true;
  }

  /** Campaigns that were refused for values, and are not any more with these. */
  #filledBy(values: Values): string[] {
    const { store, workspaceId } = this.#deps;
    const { wanted: before } = store.values(workspaceId);
    return this.#campaigns.flatMap(({ row, wanted }) =>
      wanted && whyNot(wanted.doc, before) !== undefined && whyNot(wanted.doc, values) === undefined
        ? row.campaign
        : [],
    );
  }

  /** In the order in which it is needed: documents first, then the files of what begins first. */
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

  /** Documents and files of campaigns that need not come any more, by their hashes. */
  get has(): string[] {
    const all = this.#campaigns.flatMap(({ row, wanted, applied }) => [
      ...(wanted ? [row.sha256] : []),
      ...[wanted, applied].flatMap((read) => read?.files ?? []).map(({ sha256 }) => sha256),
    ]);
    return [...new Set(all)].filter((sha256) => !this.#lacking.has(sha256));
  }

  /** Of each campaign that is wanted. */
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

  /** When the next campaign begins, epoch milliseconds; infinite: none does. */
  get nextStart(): number {
    const now = this.#deps.clock.now();
    const starts = this.#campaigns.flatMap(({ wanted }) => (wanted && wanted.begins > now ? wanted.begins : []));
    return Math.min(...starts, Number.POSITIVE_INFINITY);
  }

  /** A campaign's document has come. @param bytes whose hash was looked at */
  documentCame(campaign: string, bytes: Buffer): void {
    const { store, workspaceId } = this.#deps;
    const text = bytes.toString();
    const row = this.#rowOf(campaign);
    if (!row || row.sha256 !== sha256(text)) return;
    const parsed = CampaignDoc.safeParse(jsonOf(text));
    if (!parsed.success)
      return this.refuse(campaign, 'It is of a newer version than this server: update Vitrine here.');
    if (parsed.data.id !== campaign || parsed.data.edition !== row.wanted)
      return this.refuse(campaign, 'It is another campaign than headquarters named.');
    this.#write(() => store.setDoc(workspaceId, parsed.data, text, blobsOf(parsed.data)));
    this.carryOut();
  }

  /** A file is in the media store. */
  fileCame(file: CampaignBlob): void {
    const { db, store, clock } = this.#deps;
    db.write(() => store.addFile(file, seconds(clock)));
    this.#look();
    const isDue = ({ wanted }: Known) =>
      wanted?.files.some(({ sha256 }) => sha256 === file.sha256) && (this.#isWhole(wanted) || this.#isInParts(wanted));
    if (this.#campaigns.some(isDue)) this.carryOut();
  }

  /** A campaign cannot be shown here; screens go on with what they have. */
  refuse(campaign: string, why: string): void {
    const { store, workspaceId } = this.#deps;
    const row = this.#rowOf(campaign);
    if (!row || row.refused === why) return;
    this.#write(() => {
      store.setRefused(workspaceId, campaign, why);
      this.complain(campaign, why);
    });
  }

  /** A campaign cannot be shown for now, and a person should know. */
  complain(campaign: string, why: string): void {
    const { workspaceId, incidents } = this.#deps;
    const name = this.#rowOf(campaign)?.name || campaign;
    incidents.add(workspaceId, 'campaign_refused', `The campaign ${name} cannot be shown. ${why}`);
  }

  /** Brings to the screens what is whole, or has begun in parts. To be called now and then: campaigns begin. */
  carryOut(): void {
    const { db, bus, store, workspaceId, clock, activity, timezone } = this.#deps;
    // Also what was written and then never saved: the disk was full.
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
    // Of one that is shown in parts as long as nothing more of it has come.
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

  /** What screens are to have now of each campaign. */
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
      // What it cannot show with what is said now, it goes on to show with what was.
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

  /** A campaign that this store lacks a value of is refused, until headquarters says it (`take`). */
  #lookAtValues({ wanted: values }: KeptValues): void {
    for (const { row, wanted } of this.#campaigns) {
      const why = wanted && whyNot(wanted.doc, values);
      if (why !== undefined) this.refuse(row.campaign, why);
    }
  }

  #isWhole({ files }: Read): boolean {
    return files.every(({ sha256 }) => !this.#lacking.has(sha256));
  }

  /** It shows what has come of it. */
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
    const values = [...askedByDoc(doc).keys()];
    return { doc, files: blobsOf(doc), values, begins: startOf(doc, this.#deps.timezone()) };
  }

  /** Others bring files, too: people of the store may have the same. */
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

/** A time that this zone's clock skips moves on with it; one that is none never comes. */
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
