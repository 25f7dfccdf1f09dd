/**
 * Updates of this server that headquarters orders. An update order is accepted or refused with a reason, then its
 * files are fetched, added to the releases and installed, also across restarts. Headquarters receives the progress
 * with the presence message.
 */
import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { UPDATE_PHASES } from '../../../shared/chain/rollouts.ts';
import { type Presence, type ReleaseFile, UpdateOrder } from '../../../shared/chain/wire.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { Doer } from '../../kernel/trust/actor.ts';
import type { Missing } from '../campaigns/desired-state.ts';
import { DownlinkRefused } from '../connection/requests.ts';
import type { ChainStore } from '../membership/chain.store.ts';

/** The parts of this server's releases and updates that headquarters may use. Its methods throw ApiErrors. */
export interface OwnServer {
  /** Returns the files that this server needs. Throws if the version cannot be installed. */
  needed(version: string, files: readonly ReleaseFile[]): Promise<ReleaseFile[]>;
  has(version: string, file: ReleaseFile): boolean;
  storeRelease(doer: Doer, file: ReleaseFile, path: string): Promise<void>;
  storeNotes(doer: Doer, notes: NonNullable<UpdateOrder['notes']>): void;
  install(doer: Doer, version: string): Promise<void>;
  outcome():
    | { readonly version: string; readonly at: number; readonly status: string; readonly reason: string | null }
    | undefined;
}

/** An update order as it is stored. `files` contains only the files that this server needs. */
const Kept = UpdateOrder.extend({
  phase: z.enum(UPDATE_PHASES).extract(['fetching', 'installing', 'failed']),
  why: z.string(),
  /** Start of this phase, epoch milliseconds. */
  at: z.number(),
});
type Kept = z.infer<typeof Kept>;

interface Deps extends Pick<Parts, 'db' | 'clock' | 'log'> {
  readonly store: Pick<ChainStore, 'find' | 'setUpdateOrder' | 'updateOrder'>;
  readonly workspaceId: string;
  readonly server: OwnServer;
  /** Called when there are files to fetch. */
  readonly hurry: () => void;
  /** Returns the reason why a file does not arrive at the moment; undefined if there is none. */
  readonly troubleWith: (sha256: string) => { readonly why: string } | undefined;
  /** Called when the progress should be sent to headquarters. */
  readonly changed: () => void;
}

const NOT_LET = 'This store does not allow updates from headquarters.';
const CUT_OFF = 'The server was stopped while the version was being installed.';

export class SoftwareCommands {
  readonly #deps: Deps;
  #order: Kept | undefined;
  #installing: Promise<void> | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    const kept = deps.store.updateOrder(deps.workspaceId);
    if (kept !== null) this.#order = Kept.safeParse(JSON.parse(kept)).data;
  }

  start(): void {
    const order = this.#order;
    if (order?.phase === 'fetching') this.#next();
    else if (order?.phase === 'installing' && this.#outcomeOf(order) === undefined) this.#fail(CUT_OFF);
  }

  /** Resolves when no installation is running. */
  async stop(): Promise<void> {
    await this.#installing;
  }

  /** @throws DownlinkRefused */
  async accept(order: UpdateOrder): Promise<Record<string, never>> {
    const { server, hurry, changed } = this.#deps;
    if (this.#order?.id === order.id) return {};
    this.#requireLet();
    if (this.#installing) throw new DownlinkRefused('busy', 'The store is already installing another version.');
    const files = await server.needed(order.version, order.files).catch((error: unknown) => {
      throw error instanceof ApiError ? new DownlinkRefused('failed', error.message) : error;
    });
    this.#keep({ ...order, files, phase: 'fetching', why: '', at: this.#deps.clock.now() });
    hurry();
    changed();
    this.#next();
    return {};
  }

  get report(): Presence['update'] {
    const order = this.#order;
    if (!order) return undefined;
    const { id, version, phase } = order;
    if (phase === 'failed') return { id, version, phase, why: order.why.slice(0, 500) };
    if (phase === 'fetching') {
      const why = this.missing().map(({ file }) => this.#deps.troubleWith(file.sha256)?.why ?? '');
      return { id, version, phase, why: why.find((one) => one !== '')?.slice(0, 500) ?? '' };
    }
    const outcome = this.#outcomeOf(order);
    const { status, reason } = outcome ?? { status: 'trying', reason: null };
    if (status === 'done') return { id, version, phase: 'done', why: '' };
    if (status === 'failed') return { id, version, phase: 'went_back', why: (reason ?? '').slice(0, 500) };
    if (status === 'trying') return { id, version, phase, why: '' };
    return { id, version, phase: 'went_back', why: 'A person in the store started the earlier version again.' };
  }

  // The following methods serve the fetcher. They present an update order in the form of a campaign with files.

  missing(): Extract<Missing, { what: 'file' }>[] {
    const order = this.#order;
    if (order?.phase !== 'fetching') return [];
    return order.files
      .filter((file) => !this.#deps.server.has(order.version, file))
      .map(({ sha256, size }) => ({
        what: 'file',
        campaign: order.id,
        file: { sha256, size, mime: 'application/octet-stream' },
      }));
  }

  /** Adds a complete file to the releases, as after an upload. */
  async adopt({ path, sha256 }: { readonly path: string; readonly sha256: string }): Promise<() => void> {
    const order = this.#order;
    const file = order?.files.find((one) => one.sha256 === sha256);
    if (order && file)
      await this.#deps.server.storeRelease(this.#doer(order), file, path).catch((error: unknown) => {
        // An error with a status below 500 would occur again, so the order fails. It is retried after other errors,
        // such as a full disk.
        if (error instanceof ApiError && error.status < 500) this.#fail(error.message);
        throw error;
      });
    await rm(path, { force: true });
    return () => {};
  }

  fileCame(): void {
    this.#next();
  }

  documentCame(): void {}

  refuse(_order: string, why: string): void {
    this.#fail(why);
  }

  addIncident(_order: string, why: string): void {
    this.#fail(why);
  }

  /** Installs the version when no file is missing. */
  #next(): void {
    const order = this.#order;
    if (order?.phase !== 'fetching' || this.#installing || this.missing().length > 0) return;
    this.#installing = this.#install(order)
      .catch((error: unknown) => {
        if (!(error instanceof ApiError) && !(error instanceof DownlinkRefused))
          this.#deps.log.error('The version that headquarters wants could not be installed', { error });
        const isKnown = error instanceof ApiError || error instanceof DownlinkRefused;
        this.#fail(isKnown ? error.message : 'The store could not do this. See its log for the cause.');
      })
      .finally(() => {
        this.#installing = undefined;
      });
  }

  async #install(order: Kept): Promise<void> {
    const { server, clock, changed } = this.#deps;
    this.#requireLet();
    const doer = this.#doer(order);
    if (order.notes) server.storeNotes(doer, order.notes);
    this.#keep({ ...order, phase: 'installing', at: clock.now() });
    changed();
    await server.install(doer, order.version);
  }

  #fail(why: string): void {
    if (!this.#order) return;
    this.#keep({ ...this.#order, phase: 'failed', why, at: this.#deps.clock.now() });
    this.#deps.changed();
  }

  #keep(order: Kept): void {
    const { db, store, workspaceId } = this.#deps;
    db.write(() => store.setUpdateOrder(workspaceId, JSON.stringify(order)));
    this.#order = order;
  }

  /** Returns the outcome of the update for this order; undefined: the update has not started. */
  #outcomeOf({ version, at }: Kept): ReturnType<OwnServer['outcome']> {
    const outcome = this.#deps.server.outcome();
    return outcome?.version === version && outcome.at >= at ? outcome : undefined;
  }

  #requireLet(): void {
    if (this.#deps.store.find(this.#deps.workspaceId)?.lets_update !== 1)
      throw new DownlinkRefused('not_allowed', NOT_LET);
  }

  /** Returns the visitor from headquarters as the acting user. The visitor has no user id on this server. */
  #doer({ visitor }: Kept): Doer {
    const { store, workspaceId } = this.#deps;
    const name = `${visitor.name} (${store.find(workspaceId)?.headquarters ?? ''})`;
    return { workspaceId, userId: '', userName: name, email: name, ip: '' };
  }
}
