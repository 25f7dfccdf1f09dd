/** Holds the texts of mails. They are plain text: it arrives everywhere, and nothing a user typed can become markup. */
import type { Mail } from './mailer.ts';

interface Addressee {
  readonly email: string;
  readonly name: string;
}

export const verificationMail = (to: Addressee, server: string, link: string): Mail => ({
  to: to.email,
  subject: `Confirm your address for ${server}`,
  text: `Hello ${to.name},

please confirm that this address is yours by opening this link within 24 hours:

${link}

If you did not make an account on ${server}, ignore this mail; nothing happens.
`,
});

export const passwordSetMail = (
  to: Addressee,
  facts: { server: string; organization: string; link: string },
): Mail => ({
  to: to.email,
  subject: `Your password for ${facts.server} was set by somebody else`,
  text: `Hello ${to.name},

an owner of ${facts.organization} has given your account on ${facts.server} a new password. It opens the workspaces of ${facts.organization} and nothing else that is yours.

If that is as agreed, sign in with it and choose a password of your own. Only after that open this link within 24 hours; from then on your password opens everything again:

${facts.link}

If you did not ask for it, or cannot sign in with the password you were given, do not open the link. Ask an administrator of the server for a new password instead.
`,
});

export const welcomeMail = (to: Addressee, server: string, origin: string): Mail => ({
  to: to.email,
  subject: `Welcome to ${server}`,
  text: `Hello ${to.name},

your account is ready. Sign in here:

${origin}/#/sign-in

First steps: upload a photo or a video, put it into a playlist, publish it, pair a screen.
`,
});

export const newUserMail = (to: string, server: string, user: Addressee): Mail => ({
  to,
  subject: `New user on ${server}: ${user.email}`,
  text: `${user.name} (${user.email}) has made an account on ${server}.

You get this mail because you administer the server; turn it off under "e-mail alerts" in your account.
`,
});

export const inviteMail = (
  to: string,
  facts: { server: string; workspace: string; inviter: string; link: string },
): Mail => ({
  to,
  subject: `${facts.inviter} invites you to ${facts.workspace} on ${facts.server}`,
  text: `${facts.inviter} invites you to work on the screens of ${facts.workspace}.

Open this link within 7 days; sign in or make an account with this address (${to}):

${facts.link}
`,
});

export const testMail = (to: string, server: string): Mail => ({
  to,
  subject: `${server}: test`,
  text: 'This is a test. Notices about screens and the server come to this address.\n',
});
