/** Sends notices by e-mail to the people concerned who have chosen e-mail, in their language. */
import type { Language } from '../../../shared/contract/people/language.ts';
import type { ProblemCode } from '../../../shared/contract/problems.ts';
import type { ToldAlert } from '../../features/alerts/alert-watch.ts';
import type { ToldRequest } from '../../features/playlists/approval-watch.ts';
import { alertsLetter, linesIn, nameIn } from '../../mails/alert-letters.ts';
import type { Letter } from '../../mails/en.ts';
import { languageOf, type MailWords, type Reader, wordsIn } from '../../mails/words.ts';
import type { AlertReader, UpkeepStore } from '../upkeep.store.ts';

/** Maximum number of screens named in an e-mail. */
const NAMED = 30;
/** Time in milliseconds. Alerts that are assigned to a person within this time are sent in one e-mail. */
const ASSIGNED_MS = 10_000;

export interface DarkScreen {
  readonly id: string;
  readonly name: string;
  readonly workspace_id: string;
  /** Time since which the screen is dark, in epoch seconds. */
  readonly since: number;
}

interface Deps {
  readonly mails: { readonly configured: boolean; send(mail: { to: string; subject: string; text: string }): void };
  readonly store: Pick<UpkeepStore, 'alertReaders' | 'darkToldByAlert'>;
  readonly server: () => { readonly name: string };
  /** Language of e-mails to people who chose none. */
  readonly language: () => Language;
  /** Address of this server, without a trailing slash. */
  readonly origin: () => string;
}

interface Assigned {
  readonly to: Reader;
  readonly by: string;
  readonly alerts: ToldAlert[];
}

export class NoticeMails {
  readonly #deps: Deps;
  /** Collected assignments, by e-mail address of the assignee and name of the assigner. */
  readonly #assigned = new Map<string, Assigned>();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** At the stop, assignments that were not sent yet are dropped. People see them in the admin window. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#assigned.clear();
  }

  get configured(): boolean {
    return this.#deps.mails.configured;
  }

  /** Skips workspaces whose alert e-mail about dark screens has the same content. */
  dark(screens: readonly DarkScreen[], minutes: number): void {
    const told = this.#deps.store.darkToldByAlert();
    this.#each(
      screens.filter(({ workspace_id }) => !told.has(workspace_id)),
      ({ texts, moment }, theirs) => {
        const names = theirs.slice(0, NAMED).map(({ name, since }) => texts.since(name, moment(since)));
        if (theirs.length > NAMED) names.push(texts.andMore(theirs.length - NAMED));
        const lines = names.map((line) => `  ${line}`).join('\n');
        return texts.dark({ name: theirs[0]!.name, count: theirs.length, minutes, lines });
      },
    );
  }

  alerts(alerts: readonly ToldAlert[]): void {
    this.#each(alerts, (words, theirs) => alertsLetter(words, theirs, this.#attention));
  }

  /** Sends a problem to the administrators of the server. */
  trouble(code: ProblemCode, message: string): void {
    this.#toAdmins(({ texts, sentence }) => ({ subject: texts.problems[code], text: `${sentence(message)}\n` }));
  }

  updateStopped(message: string): void {
    this.#toAdmins(({ texts, sentence }) => ({ subject: texts.updateStopped, text: `${sentence(message)}\n` }));
  }

  /** @param by name of the assigner */
  assigned(to: Reader, by: string, alerts: readonly ToldAlert[]): void {
    if (!this.configured) return;
    const key = `${to.email} ${by}`;
    const before = this.#assigned.get(key);
    if (before) before.alerts.push(...alerts);
    else this.#assigned.set(key, { to, by, alerts: [...alerts] });
    this.#timer ??= setTimeout(() => this.sendAssigned(), ASSIGNED_MS).unref();
  }

  /** Sends collected assignments; also called by tests, which do not wait. */
  sendAssigned(): void {
    const all = [...this.#assigned.values()];
    this.stop();
    for (const { to, by, alerts } of all)
      this.send([to], (words) => {
        const { texts } = words;
        const letter = texts.assigned({
          by,
          count: alerts.length,
          name: nameIn(words, alerts[0]!),
          lines: linesIn(words, alerts),
        });
        return { ...letter, text: `${letter.text}\n${texts.lookHere(this.#attention)}\n` };
      });
  }

  /** @param requests requests that wait for an approver, the longest waiting first */
  approvalWanted(to: Reader, requests: readonly ToldRequest[]): void {
    this.send([to], ({ texts }) => {
      const asked = requests.map(({ playlist_name, user_name, note }) => {
        const line = texts.askedBy(playlist_name, user_name);
        return `  ${line}${note && `: ${note}`}\n`;
      });
      const link = this.#attention;
      return texts.approval({ count: requests.length, name: requests[0]!.playlist_name, lines: asked.join(''), link });
    });
  }

  /** Returns the people who want notices of a workspace, or of the server (null). */
  readers(workspaceId: string | null): AlertReader[] {
    return this.#deps.store.alertReaders(workspaceId);
  }

  /** Sends each reader an e-mail, composed once per language. */
  send<R extends Reader>(readers: readonly R[], letterOf: (words: MailWords) => Letter): void {
    const { mails, server, language } = this.#deps;
    if (!mails.configured) return;
    for (const [spoken, theirs] of Map.groupBy(readers, (reader) => languageOf(reader, language()))) {
      const { subject, text } = letterOf(wordsIn(spoken));
      for (const { email } of theirs) mails.send({ to: email, subject: `${server().name}: ${subject}`, text });
    }
  }

  get #attention(): string {
    return `${this.#deps.origin()}/#/attention`;
  }

  #toAdmins(letterOf: (words: MailWords) => Letter): void {
    if (this.configured) this.send(this.readers(null), letterOf);
  }

  /**
   * Sends each reader one e-mail about everything that concerns them: all workspaces that they administer, and the
   * server.
   */
  #each<T extends { readonly workspace_id: string | null }>(
    things: readonly T[],
    letterOf: (words: MailWords, theirs: readonly T[]) => Letter,
  ): void {
    if (!this.configured || things.length === 0) return;
    const found = new Map<string, { reader: AlertReader; theirs: T[] }>();
    for (const [workspaceId, of] of Map.groupBy(things, ({ workspace_id }) => workspace_id))
      for (const reader of this.readers(workspaceId)) {
        const known = found.get(reader.email);
        if (known) known.theirs.push(...of);
        else found.set(reader.email, { reader, theirs: [...of] });
      }
    for (const { reader, theirs } of found.values()) this.send([reader], (words) => letterOf(words, theirs));
  }
}
