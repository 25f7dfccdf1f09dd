import type { Database } from '../../db/database.ts';
import type { MailAllowance } from './mail-allowance.ts';
import type { Mail } from './mailer.ts';

interface Sender {
  readonly configured: boolean;
  send(mail: Mail): void;
}

interface Deps {
  readonly db: Database;
  readonly sender: Sender;
  readonly allowance: MailAllowance;
}

/** Where every mail goes through that a request makes us send to an address of the caller's choice. */
export class Post {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** A transport is configured. */
  get configured(): boolean {
    return this.#deps.sender.configured;
  }

  /**
   * Sends it once what is being written is on disk. Returns 0, or, when the address has had enough, the seconds until
   * it may. Within a write.
   */
  post(mail: Mail): number {
    if (!this.configured) return 0;
    const wait = this.#deps.allowance.take(mail.to);
    if (wait === 0) this.#deps.db.afterCommit(() => this.#deps.sender.send(mail));
    return wait;
  }

  /** To people of our own, as often as there is something to say. */
  send(mail: Mail): void {
    this.#deps.sender.send(mail);
  }
}
