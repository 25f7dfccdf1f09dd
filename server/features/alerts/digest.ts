/**
 * Mails the open alerts once a day, from an hour that the workspace chooses. The day is on disk before the mail is
 * queued, so neither a restart nor a clock that goes back sends the mail twice. No mail is sent while the clock is
 * untrusted. A server that was off at that hour sends later on the same day.
 */

import type { BodyOf } from '../../../shared/contract/endpoint.ts';
import { forbidden } from '../../../shared/contract/errors.ts';
import { DEFAULT_WORKSPACE } from '../../../shared/contract/people/workspaces.ts';
import type { AlertDigest, updateAlertDigest } from '../../../shared/contract/server/alerts.ts';
import { DAY_MS, dayOf, formatDate, formatLocal } from '../../../shared/program/civil.ts';
import { zoneOf } from '../../../shared/program/zones.ts';
import { announce } from '../../kernel/bus.ts';
import { definedOnly } from '../../kernel/defined.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import { type DigestFacts, digestLetter, isQuiet } from '../../mails/digest-letter.ts';
import type { Letter } from '../../mails/en.ts';
import type { MailWords, Reader } from '../../mails/words.ts';
import type { AlertsStore, DigestRow } from './alerts.store.ts';

const LOOK_EVERY_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Number of days before the end of a content in which the mail lists this content. */
const SOON_DAYS = 7;
const NAMED = 10;

interface AdminReader extends Reader {
  readonly isPlatformAdmin: boolean;
}

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity' | 'log'> {
  readonly store: AlertsStore;
  readonly mails: {
    readonly configured: boolean;
    readers(workspaceId: string): AdminReader[];
    send(readers: readonly AdminReader[], letterOf: (words: MailWords) => Letter): void;
  };
  /** Returns the percentage of time that screens were online on a day (YYYY-MM-DD), and the number of plays. */
  readonly figures: (workspaceId: string, day: string) => Promise<{ uptime: number | undefined; plays: number }>;
  readonly zone: () => string;
  readonly origin: () => string;
  /** Name of the server that people see. */
  readonly server: () => string;
}

/** @param local milliseconds of the server's wall clock */
export const isDue = (
  { enabled, hour, sent }: Pick<DigestRow, 'enabled' | 'hour' | 'sent'>,
  local: number,
): boolean => {
  const today = dayOf(local);
  if (!enabled || Math.floor((local - today * DAY_MS) / HOUR_MS) < hour) return false;
  // A recorded day later than tomorrow comes from a wrong clock, so it does not delay the mail.
  return sent === null || sent < today || sent > today + 1;
};

export class Digest implements Lifecycle {
  readonly name = 'digest';
  readonly #deps: Deps;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #isStopped = false;
  #undo = () => {};

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    const { bus, db, store } = this.#deps;
    this.#isStopped = false;
    this.#timer = setInterval(() => void this.runDue(), LOOK_EVERY_MS).unref();
    this.#undo = bus.on('workspaceGone', (workspaceId) => db.write(() => store.forgetDigest(workspaceId)));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#undo();
    await this.#sending;
  }

  get({ workspaceId }: Pick<WorkspaceActor, 'workspaceId'>): AlertDigest {
    const { enabled, hour, when_nothing } = this.#deps.store.digest(workspaceId);
    return { enabled, hour, when_nothing };
  }

  set(actor: WorkspaceActor, change: BodyOf<typeof updateAlertDigest>): AlertDigest {
    if (actor.workspaceRole !== 'workspace_admin')
      throw forbidden('Only an administrator of the workspace may do this');
    const { db, store, activity } = this.#deps;
    return db.write(() => {
      const before = store.digest(actor.workspaceId);
      const next = { ...before, ...definedOnly(change) };
      // A digest that is enabled after its hour is first mailed on the next day, not in this minute.
      const isLate = next.enabled && !before.enabled && isDue(next, this.#local());
      store.putDigest({ ...next, ...(isLate && { sent: dayOf(this.#local()) }) });
      activity.add({ workspaceId: actor.workspaceId, actor, action: 'alert.rule_changed', details: 'digest' });
      announce(this.#deps, actor, { topic: 'alerts' });
      return this.get(actor);
    });
  }

  /** Sends the mails that are due, one workspace after the other. The promise never rejects. */
  runDue(): Promise<void> {
    this.#sending ??= this.#sendDue().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  #local(): number {
    return zoneOf(this.#deps.zone()).toLocal(this.#deps.clock.now());
  }

  async #sendDue(): Promise<void> {
    const { clock, mails, store, log, db } = this.#deps;
    if (clock.doubtful || !mails.configured) return;
    try {
      for (const row of store.digests().filter((one) => isDue(one, this.#local()))) {
        if (this.#isStopped) return;
        db.write(() => store.putDigest({ ...row, sent: dayOf(this.#local()) }));
        await db.durable();
        await this.#send(row);
      }
    } catch (error) {
      log.warn('What needs somebody could not be mailed', { error });
    }
  }

  async #send({ workspace_id: workspaceId, when_nothing }: DigestRow): Promise<void> {
    const { mails } = this.#deps;
    const readers = mails.readers(workspaceId);
    if (readers.length === 0) return;
    for (const [seesServer, theirs] of Map.groupBy(readers, ({ isPlatformAdmin }) => isPlatformAdmin)) {
      const facts = await this.#facts(workspaceId, seesServer);
      if (when_nothing || !isQuiet(facts)) mails.send(theirs, (words) => digestLetter(words, facts));
    }
  }

  async #facts(workspaceId: string, seesServer: boolean): Promise<DigestFacts> {
    const { store, clock, zone, origin, server, figures } = this.#deps;
    const now = seconds(clock);
    const today = dayOf(this.#local());
    const { uptime, plays } = await figures(workspaceId, formatDate(today - 1));
    const viewer = { workspaceId, userId: '', seesServer };
    const lasting = store.lasting(viewer).filter(({ muted_until }) => (muted_until ?? 0) <= now);
    const minute = (at: number) => formatLocal(zoneOf(zone()).toLocal(at)).slice(0, 16);
    const name = store.workspaceName(workspaceId) ?? '';
    return {
      workspace: name === '' || name === DEFAULT_WORKSPACE ? server() : name,
      today,
      open: lasting.filter(({ kind }) => kind !== 'content_ends'),
      came: store.countBegunSince(viewer, now - DAY_MS / 1000),
      went: store.countEndedSince(viewer, now - DAY_MS / 1000),
      ending: store.endingOf(workspaceId, minute(clock.now()), minute(clock.now() + SOON_DAYS * DAY_MS), NAMED),
      uptime,
      plays,
      origin: origin(),
    };
  }
}
