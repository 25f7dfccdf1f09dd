import type { Database } from '../../db/database.ts';
import type { MailAllowance } from './mail-allowance.ts';
import type { Mail, Mailer } from './mailer.ts';

interface Deps {
  readonly db: Database;
  readonly sender: Pick<Mailer, 'configured' | 'send'>;
  readonly allowance: MailAllowance;
}

/** Sends every mail that a request makes us send to an address of the caller's choice. */
export class Post {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get configured(): boolean {
    return this.#deps.sender.configured;
  }

  /**
   * Sends it once what is being written is on disk. Returns 0, or the seconds until the address may get one when it has
   * had enough. Called within a write.
   */
  post(mail: Mail): number {
    if (!this.configured) return 0;
    const wait = this.#deps.allowance.take(mail.to);
    if (wait === 0) this.#deps.db.afterCommit(() => this.#deps.sender.send(mail));
    return wait;
  }

  /** Sends to people of our own, as often as there is something to say. */
  send(mail: Mail): void {
    this.#deps.sender.send(mail);
  }
}
