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
import { zoneOf } from '../../../shared/program/zones.ts';
import type { Topic } from '../../../shared/protocol/live.ts';
import { announce } from '../../kernel/bus.ts';
import { seconds } from '../../kernel/clock.ts';
import type { Parts } from '../../kernel/parts.ts';
import { type CampaignRow, type CampaignsStore, type Effective, Taken } from './campaigns.store.ts';
import { combine } from './combined.ts';
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

export class DesiredState {
  readonly #deps: Deps;
  /** Parsed once, by hash. */
  readonly #docs = new Map<string, CampaignDoc>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Of the newest that was taken. */
  get rev(): number {
    const { store, workspaceId } = this.#deps;
    return store.rev(workspaceId);
  }

  /** What is not headquarters', or not newer than what is there, changes nothing. @returns whether it was taken */
  take({ text, signature }: SignedDesired): boolean {
    const { db, store, workspaceId, storeRef, key, clock } = this.#deps;
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
    const { store: ref, rev, campaigns } = parsed.data;
    if (ref !== storeRef) return this.#refuse('is for another store');
    if (rev === this.rev) return false;
    if (rev < this.rev) return this.#refuse(`is older (${rev}) than what this server has (${this.rev})`);
    db.write(() => store.want(workspaceId, { rev, campaigns, at: seconds(clock) }));
    this.carryOut();
    return true;
  }

  /** In the order in which it is needed: documents first, then the files of what begins first. */
  missing(): Missing[] {
    const { store, workspaceId } = this.#deps;
    const rows = store.all(workspaceId).filter(({ wanted, refused }) => wanted !== null && refused === null);
    const documents = rows.flatMap(({ campaign, sha256, bytes, doc }): Missing[] =>
      doc === null ? [{ what: 'document', campaign, sha256, bytes }] : [],
    );
    const files = rows
      .flatMap((row) => this.#docOf(row.doc) ?? [])
      .sort((a, b) => (a.start_time < b.start_time ? -1 : 1))
      .flatMap((doc) =>
        blobsOf(doc).flatMap((file): Missing[] =>
          store.hasFile(file.sha256) ? [] : [{ what: 'file', campaign: doc.id, file }],
        ),
      );
    return [...documents, ...files];
  }

  /** A campaign's document has come. @param bytes whose hash was looked at */
  documentCame(campaign: string, bytes: Buffer): void {
    const { db, store, workspaceId } = this.#deps;
    const text = bytes.toString();
    const row = store.all(workspaceId).find((one) => one.campaign === campaign);
    if (!row || row.sha256 !== sha256(text)) return;
    const parsed = CampaignDoc.safeParse(jsonOf(text));
    if (!parsed.success)
      return this.refuse(campaign, 'It is of a newer version than this server: update Vitrine here.');
    if (parsed.data.id !== campaign || parsed.data.edition !== row.wanted)
      return this.refuse(campaign, 'It is another campaign than headquarters named.');
    db.write(() => store.setDoc(workspaceId, parsed.data, text, blobsOf(parsed.data)));
    this.carryOut();
  }

  /** A file is in the media store. */
  fileCame(file: CampaignBlob): void {
    const { db, store, clock } = this.#deps;
    db.write(() => store.addFile(file, seconds(clock)));
    if (this.missing().every(({ what }) => what === 'document') || this.#isInParts) this.carryOut();
  }

  /** A campaign cannot be shown here; screens go on with what they have. */
  refuse(campaign: string, why: string): void {
    const { db, store, workspaceId, incidents } = this.#deps;
    const row = store.all(workspaceId).find((one) => one.campaign === campaign);
    if (!row || row.refused === why) return;
    db.write(() => {
      store.setRefused(workspaceId, campaign, why);
      incidents.add(workspaceId, 'campaign_refused', `The campaign ${row.name || campaign} cannot be shown. ${why}`);
    });
  }

  /** Brings to the screens what is whole, or has begun in parts. To be called now and then: campaigns begin. */
  carryOut(): void {
    const { db, bus, store, workspaceId, clock, activity, timezone } = this.#deps;
    const rows = store.all(workspaceId);
    const effective = this.effective(rows);
    const applied = rows.filter((row) => row.applied !== null);
    const isSame =
      effective.length === applied.length &&
      effective.every(({ doc, text, isWhole }) =>
        applied.some((row) => row.campaign === doc.id && row.applied_doc === text && isWhole && row.is_whole === 1),
      ) &&
      rows.every(({ wanted, applied: edition }) => wanted !== null || edition !== null);
    if (isSame) return;
    const combined = combine(
      effective.map(({ doc }) => doc),
      (sha) => store.hasFile(sha),
    );
    try {
      db.write(() => {
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
      });
    } catch (error) {
      if (!(error instanceof Taken)) throw error;
      for (const { doc, text } of effective)
        if (!applied.some((row) => row.applied_doc === text)) this.refuse(doc.id, error.message);
    }
  }

  /** What screens are to have now of each campaign. */
  effective(rows: readonly CampaignRow[] = this.#deps.store.all(this.#deps.workspaceId)): Effective[] {
    return rows.flatMap(({ wanted, doc: text, refused, applied_doc }): Effective[] => {
      const doc = wanted !== null && refused === null ? this.#docOf(text) : undefined;
      const isWhole = doc !== undefined && this.#isWhole(doc);
      if (doc && (isWhole || (doc.begins === 'parts' && this.#hasBegun(doc)))) return [{ doc, text: text!, isWhole }];
      const before = wanted === null ? undefined : this.#docOf(applied_doc);
      return before ? [{ doc: before, text: applied_doc!, isWhole: this.#isWhole(before) }] : [];
    });
  }

  get #isInParts(): boolean {
    return this.effective().some(({ isWhole }) => !isWhole);
  }

  #isWhole(doc: CampaignDoc): boolean {
    return blobsOf(doc).every(({ sha256: hash }) => this.#deps.store.hasFile(hash));
  }

  #hasBegun({ start_time }: CampaignDoc): boolean {
    const { clock, timezone } = this.#deps;
    return new Date(zoneOf(timezone()).toLocal(clock.now())).toISOString().slice(0, 19) >= start_time;
  }

  #docOf(text: string | null): CampaignDoc | undefined {
    if (text === null) return undefined;
    const hash = sha256(text);
    let doc = this.#docs.get(hash);
    if (!doc) {
      doc = CampaignDoc.parse(JSON.parse(text));
      this.#docs.set(hash, doc);
    }
    return doc;
  }

  #refuse(why: string): false {
    const { db, incidents, workspaceId } = this.#deps;
    db.write(() =>
      incidents.add(
        workspaceId,
        'desired_refused',
        `What headquarters wants to be shown was not taken: it ${why}. Screens go on as before.`,
      ),
    );
    return false;
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
