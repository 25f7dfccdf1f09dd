/**
 * Membership of workspaces in a headquarters: enrolment, leaving, limits and transfer files. Starts and stops the
 * links to headquarters.
 */

import type { Readiness } from '../../../shared/chain/campaign.ts';
import { type EnrolmentCode, enrolmentCode } from '../../../shared/chain/enrolment-code.ts';
import { transferFileName } from '../../../shared/chain/transfer-file.ts';
import { type AskOf, enrolText } from '../../../shared/chain/wire.ts';
import type { BodyOf } from '../../../shared/contract/endpoint.ts';
import { badRequest, conflict, forbidden, notFound } from '../../../shared/contract/errors.ts';
import type { ChainState, enrolStore, limitFetching } from '../../../shared/contract/headquarters/chain.ts';
import type {
  enrolByFile,
  TransferState,
  WrittenTransferFile,
} from '../../../shared/contract/headquarters/transfer-files.ts';
import type { Identity } from '../../identity.ts';
import { announce } from '../../kernel/bus.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import { fingerprintOf } from '../../kernel/trust/fingerprint.ts';
import { SPKI } from '../../kernel/trust/signed-by.ts';
import type { OutgoingTransferFiles } from '../../transfer/outgoing.ts';
import type { IncomingTransferFile } from '../../transfer/transfer-reader.ts';
import type { ChainLink } from '../connection/chain-link.ts';
import type { TransferFiles } from '../transfer/transfer-files.ts';
import type { ChainStore, LinkRow, NewLink } from './chain.store.ts';
import type { Visitors } from './visitors.ts';

const INCIDENTS = 50;

/** Parts that are loaded at the first enrolment, or at the start if a workspace is enrolled. */
export interface ChainWorks {
  readonly visitors: Pick<Visitors, 'endSessions' | 'forget'>;
  link(row: LinkRow): { readonly link: ChainLink; readonly transferFiles: TransferFiles };
  /** The workspace has no headquarters any more: deletes partly fetched files. */
  forget(workspaceId: string): Promise<void>;
  /** @throws ApiError 400 with a sentence, or an error of the connection */
  enrol(wish: {
    readonly address: string;
    readonly isIt: (fingerprint: string) => boolean;
    /** True: the error may say why an address does not answer, which reveals hosts in the network of the server. */
    readonly mayKnow: boolean;
    readonly ask: (fingerprint: string) => AskOf<'enrol'>;
  }): Promise<Met>;
  /** Returns the HTTPS address for what a person typed. @throws ApiError 400 */
  addressOf(given: string): string;
}

/** Headquarters, as stored in the link. */
type Met = Omit<NewLink, 'workspace_id' | 'enrolled_at' | 'enrolled_by' | 'may' | 'lets_update'>;
type Running = ReturnType<ChainWorks['link']>;

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'log' | 'activity'> {
  readonly store: ChainStore;
  readonly identity: Pick<Identity, 'publicKey' | 'fingerprint' | 'sign' | 'sealing'>;
  readonly outgoing: OutgoingTransferFiles;
  readonly server: () => { readonly name: string; readonly version: string };
  readonly works: () => Promise<ChainWorks>;
}

export class ChainService implements Lifecycle {
  readonly name = 'chain';
  readonly #deps: Deps;
  readonly #links = new Map<string, Running>();
  /** Workspaces with an enrolment in progress. */
  readonly #enrolling = new Set<string>();
  #ends: () => void = () => {};

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    const { db, store, bus, works } = this.#deps;
    this.#ends = bus.on('workspaceGone', (workspaceId) => {
      db.write(() => store.deleteProof(workspaceId));
      void this.#forget(workspaceId);
    });
    const links = store.links();
    if (links.length === 0) return;
    const { link } = await works();
    for (const row of links) this.#begin(row.workspace_id, link(row));
  }

  async stop(): Promise<void> {
    this.#ends();
    await Promise.all([...this.#links.keys()].map((workspaceId) => this.#end(workspaceId)));
  }

  state(actor: Actor): ChainState {
    const { store, identity } = this.#deps;
    const { fingerprint } = identity;
    const row = actor.workspaceId === null ? undefined : store.find(actor.workspaceId);
    if (!row) return { link: null, fingerprint };
    const { name, headquarters, address, enrolled_at, enrolled_by, may, lets_update, fetch_rate, fetch_hours } = row;
    const running = this.#links.get(row.workspace_id)?.link.view;
    return {
      fingerprint,
      link: {
        name,
        headquarters,
        fingerprint: fingerprintOf(Buffer.from(row.key, 'hex')),
        address,
        by_file: row.certificate === '',
        enrolled_at,
        enrolled_by,
        may,
        lets_update,
        ...(running ?? { line: 'starting', trouble: null, heard_at: null, waiting: 0, delivered: 0 }),
        rate_kb: fetch_rate,
        hours: [...fetch_hours],
        incidents: store.incidents(row.workspace_id, INCIDENTS),
      },
    };
  }

  /** Returns the progress of campaigns in a workspace; undefined: no link of this workspace runs. */
  readiness(workspaceId: string): readonly Readiness[] | undefined {
    return this.#links.get(workspaceId)?.link.readiness;
  }

  /** @throws ApiError 400, 409 */
  async enrol(actor: Actor, { address, code, may, ...body }: BodyOf<typeof enrolStore>): Promise<ChainState> {
    const parts = codeOf(code);
    return this.#enrol(actor, { may, ...body }, ({ enrol }, workspaceId) =>
      enrol({
        address,
        // The platform administrator may see why the address does not answer, because this person knows the network
        // anyway.
        mayKnow: actor.platformRole === 'platform_admin',
        isIt: (fingerprint) => fingerprint.startsWith(parts.fingerprint),
        ask: (hq) => this.#askOf(workspaceId, parts.secret, hq),
      }),
    );
  }

  /**
   * Enrols with a file of headquarters. Headquarters learns of the enrolment from the first transfer file, or over the
   * network if the network connects first.
   * @throws ApiError 400, 409
   */
  async enrolByFile(actor: Actor, { may, ...body }: BodyOf<typeof enrolByFile>): Promise<ChainState> {
    const { secret, fingerprint } = codeOf(body.code);
    const key = SPKI + body.key;
    const own = fingerprintOf(Buffer.from(key, 'hex'));
    if (!own.startsWith(fingerprint)) throw badRequest('code: is a code from another headquarters than the file.');
    const { store, name, headquarters, seal_key, sticks } = body;
    return this.#enrol(actor, { may, lets_update: body.lets_update }, async ({ addressOf }, workspaceId) => {
      const proof = this.#askOf(workspaceId, secret, own);
      const address = addressOf(body.address);
      const met = { store, name, headquarters, key, seal_key, address, certificate: '' };
      return { ...met, stick_in: sticks.written, stick_out: sticks.taken, proof };
    });
  }

  async #enrol(
    actor: Actor,
    { may, ...body }: Pick<BodyOf<typeof enrolStore>, 'may' | 'lets_update'>,
    meet: (works: ChainWorks, workspaceId: string) => Promise<Met & { readonly proof?: AskOf<'enrol'> }>,
  ): Promise<ChainState> {
    const { store, works, clock } = this.#deps;
    const workspaceId = workspaceOf(actor);
    if (store.find(workspaceId)) throw belongs();
    if (this.#enrolling.has(workspaceId))
      throw conflict('This workspace is already being enrolled. Wait until the enrolment is finished.');
    // Only a server administrator may allow updates of the server, because the server may have other workspaces.
    const isAdmin = actor.platformRole === 'platform_admin';
    const lets = body.lets_update ?? isAdmin;
    if (lets && !isAdmin) throw forbidden('Only a server administrator can allow updates from headquarters.');
    this.#enrolling.add(workspaceId);
    try {
      const loaded = await works();
      const { proof, ...met } = await meet(loaded, workspaceId);
      const row: NewLink = {
        ...met,
        may,
        lets_update: lets ? 1 : 0,
        workspace_id: workspaceId,
        enrolled_at: seconds(clock),
        enrolled_by: actor.userName,
      };
      this.#save(actor, row, proof);
      this.#begin(workspaceId, loaded.link({ ...row, fetch_rate: null, fetch_hours: [] }));
      return this.state(actor);
    } finally {
      this.#enrolling.delete(workspaceId);
    }
  }

  /** Returns the numbers and the progress of transfer files. */
  transferState(actor: Actor): TransferState {
    const { outgoing, store } = this.#deps;
    if (actor.workspaceId === null || !store.find(actor.workspaceId))
      return { written: 0, taken: 0, can: false, under_way: null };
    const { row, transferFiles } = this.#linked(actor);
    return {
      written: row.stick_out,
      taken: row.stick_in,
      can: row.seal_key !== null,
      under_way: transferFiles.coming ?? outgoing.sent(row.workspace_id),
    };
  }

  /** @throws ApiError 404, 409 */
  writeTransferFile(actor: Actor): WrittenTransferFile {
    const { db, store, activity, outgoing } = this.#deps;
    const { row, transferFiles } = this.#linked(actor);
    const { workspace_id: workspaceId, headquarters, name } = row;
    if (row.seal_key === null)
      throw conflict(
        'Headquarters has not sent its encryption key for USB sticks yet. Update Vitrine at headquarters.',
      );
    outgoing.requireFree(workspaceId);
    const number = db.write(() => {
      const next = store.nextStick(workspaceId);
      activity.add({ workspaceId, actor, action: 'chain.stick_written', details: `${headquarters} (${next})` });
      announce(this.#deps, { ...actor, workspaceId }, { topic: 'chain' });
      return next;
    });
    const filename = transferFileName(name, number, '-back');
    const expires_at = outgoing.offer(workspaceId, number, {
      filename,
      bytes: null,
      write: () => transferFiles.write(number),
    });
    return { number, filename, bytes: null, expires_at };
  }

  /** @throws ApiError 404, 409, 507 */
  async receiveTransferFile(actor: Actor, expected: number): Promise<IncomingTransferFile<number>> {
    const { db, activity } = this.#deps;
    const { row, transferFiles } = this.#linked(actor);
    const { workspace_id: workspaceId, headquarters } = row;
    const coming = await transferFiles.receive(expected);
    return {
      ...coming,
      finish: async () => {
        const number = await coming.finish();
        db.write(() => {
          activity.add({ workspaceId, actor, action: 'chain.stick_taken', details: `${headquarters} (${number})` });
          announce(this.#deps, { ...actor, workspaceId }, { topic: 'chain' });
        });
        return number;
      },
    };
  }

  #linked(actor: Actor): Running & { readonly row: LinkRow } {
    const workspaceId = workspaceOf(actor);
    const row = this.#deps.store.find(workspaceId);
    const running = this.#links.get(workspaceId);
    if (!row || !running) throw notFound('Headquarters');
    return { ...running, row };
  }

  /** Sets the highest role of people from headquarters in this workspace. @throws ApiError 404 */
  async setMay(actor: Actor, may: LinkRow['may']): Promise<ChainState> {
    const { store, db, activity, works } = this.#deps;
    const workspaceId = workspaceOf(actor);
    const { visitors } = await works();
    db.write(() => {
      const row = store.find(workspaceId);
      if (!row) throw notFound('Headquarters');
      if (row.may === may) return;
      store.setMay(workspaceId, may);
      visitors.endSessions(workspaceId);
      activity.add({ workspaceId, actor, action: 'chain.rights_changed', details: row.headquarters });
      announce(this.#deps, { ...actor, workspaceId }, { topic: 'chain' });
    });
    return this.state(actor);
  }

  /** Sets whether headquarters may update this server. @throws ApiError 404 */
  setLetsUpdate(actor: Actor, lets: boolean): ChainState {
    const { store, db, activity } = this.#deps;
    const workspaceId = workspaceOf(actor);
    db.write(() => {
      const row = store.find(workspaceId);
      if (!row) throw notFound('Headquarters');
      store.setLetsUpdate(workspaceId, lets ? 1 : 0);
      activity.add({ workspaceId, actor, action: 'chain.rights_changed', details: row.headquarters });
      announce(this.#deps, { ...actor, workspaceId }, { topic: 'chain' });
    });
    return this.state(actor);
  }

  /** Sets the rate and the hours of downloads from headquarters. @throws ApiError 404 */
  limitFetching(actor: Actor, { rate_kb, hours }: BodyOf<typeof limitFetching>): ChainState {
    const { store, db, activity } = this.#deps;
    const workspaceId = workspaceOf(actor);
    const limits = { fetch_rate: rate_kb, fetch_hours: hours };
    db.write(() => {
      const row = store.find(workspaceId);
      if (!row) throw notFound('Headquarters');
      store.setFetching(workspaceId, limits);
      activity.add({ workspaceId, actor, action: 'chain.fetching_changed', details: row.headquarters });
      announce(this.#deps, { ...actor, workspaceId }, { topic: 'chain' });
    });
    this.#links.get(workspaceId)?.link.limit(limits);
    return this.state(actor);
  }

  /** @throws ApiError 404 */
  async leave(actor: Actor): Promise<void> {
    const { store, db, activity, log, works } = this.#deps;
    const workspaceId = workspaceOf(actor);
    const row = store.find(workspaceId);
    if (!row) throw notFound('Headquarters');
    // Waits only a short time for the answer, because headquarters may be offline. Leaving also works without the
    // answer.
    const telling = this.#links.get(workspaceId)?.link.leave();
    await Promise.race([telling, new Promise((done) => setTimeout(done, 3_000).unref())]).catch((error: unknown) =>
      log.info('headquarters was not told that the store leaves', { reason: (error as Error).message }),
    );
    await this.#forget(workspaceId);
    const { visitors } = await works();
    db.write(() => {
      visitors.forget(workspaceId);
      store.delete(workspaceId);
      store.deleteProof(workspaceId);
      activity.add({ workspaceId, actor, action: 'chain.left', details: row.headquarters });
      announce(this.#deps, actor as Actor & { workspaceId: string }, { topic: 'chain' });
    });
  }

  /** Makes all links send their waiting data now. For tests, and for actions that cannot wait. */
  hurry(): void {
    for (const { link } of this.#links.values()) link.hurry();
  }

  #askOf(workspaceId: string, secret: string, hq: string): AskOf<'enrol'> {
    const { identity, server, store } = this.#deps;
    const key = identity.publicKey.slice(-64);
    const { name, version } = server();
    return {
      secret,
      key,
      signature: identity.sign(enrolText(secret, key, hq)),
      server_name: name,
      workspace_name: store.workspaceName(workspaceId),
      version,
      seal_key: identity.sealing.key,
    };
  }

  #save(actor: Actor, row: NewLink, proof: AskOf<'enrol'> | undefined): void {
    const { db, store, activity } = this.#deps;
    const { workspace_id: workspaceId, headquarters } = row;
    db.write(() => {
      if (store.find(workspaceId)) throw belongs();
      store.insert(row);
      if (proof !== undefined) store.setProof(workspaceId, proof);
      activity.add({ workspaceId, actor, action: 'chain.enrolled', details: headquarters });
      announce(this.#deps, { ...actor, workspaceId }, { topic: 'chain' });
    });
  }

  #begin(workspaceId: string, running: Running): void {
    this.#links.set(workspaceId, running);
    running.link.start();
  }

  async #forget(workspaceId: string): Promise<void> {
    if (!this.#links.has(workspaceId)) return;
    await this.#end(workspaceId);
    const { works, log } = this.#deps;
    const { forget } = await works();
    await forget(workspaceId).catch((error: unknown) => log.warn('Parts of files could not be removed', { error }));
  }

  async #end(workspaceId: string): Promise<void> {
    const running = this.#links.get(workspaceId);
    this.#links.delete(workspaceId);
    await running?.link.stop();
  }
}

/** @throws ApiError 400 */
const codeOf = (code: string): EnrolmentCode => {
  const parts = enrolmentCode(code);
  if (!parts)
    throw badRequest('code: is not an enrolment code; an enrolment code has six groups of four letters and digits');
  return parts;
};

const belongs = () => conflict('This workspace already belongs to a headquarters. Leave that headquarters first.');

const workspaceOf = ({ workspaceId }: Actor): string => {
  if (workspaceId === null)
    throw badRequest('You do not belong to a workspace yet. Ask for an invitation, or create a workspace.');
  return workspaceId;
};
