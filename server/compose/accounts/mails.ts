/** Creates the mails of accounts, and the settings of the server on which they depend. */
import { MailAllowance } from '../../features/accounts/mail/mail-allowance.ts';
import { Mailer } from '../../features/accounts/mail/mailer.ts';
import { Post } from '../../features/accounts/mail/post.ts';
import { ConnectionsService } from '../../features/accounts/providers/connections.service.ts';
import type { SecretBox } from '../../features/accounts/secret-box.ts';
import { ServerSettings } from '../../features/accounts/server-settings.service.ts';
import { SettingsStore } from '../../features/accounts/server-settings.store.ts';
import type { LimitsStore } from '../../features/accounts/sign-in/limits.store.ts';
import type { UsersStore } from '../../features/accounts/users/users.store.ts';
import { languageOf, wordsIn } from '../../mails/words.ts';
import type { Kernel } from '../kernel.ts';

export const createMails = (
  kernel: Kernel,
  { users, limits, box }: { readonly users: UsersStore; readonly limits: LimitsStore; readonly box: SecretBox },
) => {
  const { config, db, clock, log } = kernel;
  const settingsStore = new SettingsStore(db);
  const connections = new ConnectionsService({ ...kernel, store: settingsStore, box, environment: config });
  db.onLost(() => connections.forget());
  const mailer = new Mailer({ target: () => connections.mail, log });
  const post = new Post({ db, sender: mailer, allowance: new MailAllowance({ store: limits, clock }) });
  const settings = new ServerSettings({
    ...kernel,
    store: settingsStore,
    registration: config.registration,
    language: config.language,
  });
  /** Returns the e-mail texts for an address, which may have no account here. */
  const textsFor = (email: string) =>
    wordsIn(languageOf(users.findByEmail(email) ?? { language: null }, settings.language)).texts;
  const testMail = (to: string) => ({ to, ...textsFor(to).test({ server: settings.name }) });
  /** Sends a test e-mail and returns the answer of the mail server, or the error. */
  const tryMail = async ({ email }: { email: string }) => {
    try {
      return { ok: true, text: `${email}: ${await mailer.try(testMail(email))}` };
    } catch (error) {
      return { ok: false, text: (error as Error).message };
    }
  };

  return { connections, mailer, post, settings, textsFor, testMail, tryMail };
};

export type MailParts = ReturnType<typeof createMails>;
