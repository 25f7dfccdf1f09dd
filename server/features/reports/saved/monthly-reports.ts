/**
 * Sends saved reports about the previous month on the first day of each month, once. A report is marked as sent before
 * it is handed to the mail server, so that neither a restart nor a clock that goes back sends it twice. Nothing is sent
 * while the clock is untrusted. A server that was off on the first day sends after its start.
 */

import { isLanguage, type Language } from '../../../../shared/contract/people/language.ts';
import { civilOf, dayNumber, dayOf, formatDate } from '../../../../shared/program/civil.ts';
import { zoneOf } from '../../../../shared/program/zones.ts';
import type { Lifecycle } from '../../../kernel/lifecycle.ts';
import type { Parts } from '../../../kernel/parts.ts';
import { wordsIn } from '../../../mails/words.ts';
import type { ReportsService } from '../reports.service.ts';
import type { SavedReportRow, SavedReportsStore } from './saved-reports.store.ts';

const LOOK_EVERY_MS = 15 * 60_000;
/** Maximum size of a mail attachment that every mail server accepts. A longer table of plays must be downloaded. */
const MAX_CSV_BYTES = 4_000_000;

interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly attachments: { readonly filename: string; readonly content: Buffer }[];
}

interface Deps extends Pick<Parts, 'db' | 'clock' | 'activity' | 'log'> {
  readonly store: SavedReportsStore;
  readonly reports: Pick<ReportsService, 'paper' | 'export'>;
  readonly mails: { readonly configured: boolean; send(mail: Mail): void };
  /** Returns the language that the user with this address has chosen; null when there is no choice or no such user. */
  readonly languageOf: (email: string) => string | null;
  readonly zone: () => string;
  /** Address at which people reach this server, without a slash at the end. */
  readonly origin: () => string;
}

const firstOf = (now: number, zone: string, months: number): number => {
  const { year, month } = civilOf(dayOf(zoneOf(zone).toLocal(now)));
  return dayNumber(year, month + months, 1);
};

/** Returns the previous month, YYYY-MM. */
export const monthBefore = (now: number, zone: string): string => formatDate(firstOf(now, zone, -1)).slice(0, 7);

export class MonthlyReports implements Lifecycle {
  readonly name = 'monthly-reports';
  readonly #deps: Deps;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #isStopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#isStopped = false;
    this.#timer = setInterval(() => void this.runDue(), LOOK_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#sending;
  }

  /** Sends due reports, one after the other. Resolves when all are handed to the mail server. */
  runDue(): Promise<void> {
    this.#sending ??= this.#sendDue().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendDue(): Promise<void> {
    const { clock, mails, store, zone, log } = this.#deps;
    if (clock.doubtful || !mails.configured) return;
    const month = monthBefore(clock.now(), zone());
    for (let row = store.due(month); row && !this.#isStopped; row = store.due(month)) {
      this.#note(row, month);
      try {
        await this.#send(row);
      } catch (error) {
        log.warn('A monthly report could not be made', { report: row.name, reason: (error as Error).message });
      }
    }
  }

  #note({ id, name, workspace_id: workspaceId }: SavedReportRow, month: string): void {
    const { db, store, activity } = this.#deps;
    db.write(() => {
      store.markSent(id, month);
      activity.add({ workspaceId, actor: null, action: 'report.sent', details: name });
    });
  }

  async #send(row: SavedReportRow): Promise<void> {
    const { clock, reports, mails, zone, origin, languageOf } = this.#deps;
    const [first, next] = [firstOf(clock.now(), zone(), -1), firstOf(clock.now(), zone(), 0)];
    const period = { start: formatDate(first), end: formatDate(next - 1) };
    const actor = { workspaceId: row.workspace_id };
    const filtered = { ...row.filters, ...period };
    const csv = await collect(reports.export(actor, filtered));
    const planned = await collect(reports.export(actor, { ...filtered, format: 'planned' }));
    const readers = Map.groupBy(row.recipients, (to): Language => {
      const chosen = languageOf(to);
      return isLanguage(chosen) ? chosen : row.language;
    });
    for (const [language, recipients] of readers) {
      const query = { ...row.filters, ...period, language, title: row.name };
      const { filename, bytes } = await reports.paper(actor, query);
      const words = wordsIn(language);
      const letter = words.texts.report({
        name: row.name,
        month: words.month(first),
        from: words.date(first),
        to: words.date(next - 1),
        link: csv ? undefined : `${origin()}/#/reports?from=${period.start}&to=${period.end}`,
      });
      const attachments = [
        { filename, content: bytes },
        ...(csv ? [{ filename: filename.replace(/pdf$/, 'csv'), content: csv }] : []),
        ...(planned ? [{ filename: filename.replace(/^report(.*)pdf$/, 'planned$1csv'), content: planned }] : []),
      ];
      for (const to of recipients) mails.send({ to, ...letter, attachments });
    }
  }
}

/** Returns undefined when the file is longer than a mail may be. */
const collect = async ({
  head,
  chunks,
}: {
  readonly head: string;
  readonly chunks: AsyncGenerator<Buffer>;
}): Promise<Buffer | undefined> => {
  const parts = [Buffer.from(head)];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > MAX_CSV_BYTES) return undefined;
    // A chunk is valid only until the next one is requested, so it is copied.
    parts.push(Buffer.from(chunk));
  }
  return Buffer.concat(parts);
};
