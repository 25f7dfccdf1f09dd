import type { Database } from '../../../db/database.ts';
import type { MailAllowance } from './mail-allowance.ts';
import type { Mail, Mailer } from './mailer.ts';

interface Deps {
  readonly db: Database;
  readonly sender: Pick<Mailer, 'configured' | 'send'>;
  readonly allowance: MailAllowance;
}

/** Sends e-mails to addresses that the caller of a request chooses. */
export class Post {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get configured(): boolean {
    return this.#deps.sender.configured;
  }

  /**
   * Sends the e-mail after the commit. Returns 0, or the seconds to wait when the address has reached its limit. Called
   * within a write transaction.
   */
  post(mail: Mail): number {
    if (!this.configured) return 0;
    const wait = this.#deps.allowance.count(mail.to);
    if (wait === 0) this.#deps.db.afterCommit(() => this.#deps.sender.send(mail));
    return wait;
  }

  /** Sends an e-mail to a user of this server, without a limit. */
  send(mail: Mail): void {
    this.#deps.sender.send(mail);
  }
}
