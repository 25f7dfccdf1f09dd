/**
 * Connections of the server: mail server, sign-in providers, hosts in the network. The environment takes precedence.
 */
import { z } from 'zod';
import { conflict } from '../../../../shared/contract/errors.ts';
import {
  type ConnectionsChange,
  Connections as Declared,
  type Fixed,
  type Connections as View,
} from '../../../../shared/contract/server/server.ts';
import type { Config } from '../../../config.ts';
import { settingsChanged } from '../../../kernel/activity.ts';
import { definedOnly } from '../../../kernel/defined.ts';
import type { Parts } from '../../../kernel/parts.ts';
import type { Actor } from '../../../kernel/trust/actor.ts';
import type { MailTarget } from '../mail/mailer.ts';
import type { SecretBox } from '../secret-box.ts';
import type { SettingsStore } from '../server-settings.store.ts';
import type { Provider, ProviderSettings } from './oidc.ts';

const KEY = 'connections';
/** Encryption context of the mail password, which decrypts only with this context. */
const CONTEXT = 'settings:mail_password';

const Stored = Declared.omit({ mail_password_set: true, fixed: true, fixed_hosts: true }).extend({
  mail_password_sealed: z.string(),
});
type Stored = z.infer<typeof Stored>;
const NOTHING: Stored = {
  mail_host: '',
  mail_port: 587,
  mail_security: 'starttls',
  mail_user: '',
  mail_from: '',
  mail_password_sealed: '',
  provider_a_issuer: '',
  provider_a_client_id: '',
  provider_b_issuer: '',
  provider_b_client_id: '',
  provider_b_tenant_id: '',
  provider_b_profile_url: '',
  provider_a_owns_addresses: 0,
  provider_b_owns_addresses: 0,
  allowed_hosts: [],
};

const A = ['provider_a_issuer', 'provider_a_client_id', 'provider_a_owns_addresses'] as const;
const B = [
  'provider_b_issuer',
  'provider_b_client_id',
  'provider_b_tenant_id',
  'provider_b_profile_url',
  'provider_b_owns_addresses',
] as const;

type Environment = Pick<Config, 'smtp_url' | 'mail_from' | (typeof A | typeof B)[number] | 'allowed_hosts'>;

interface Group {
  readonly named: string;
  /**
   * Environment variables of the mail server. If any of them is set, all fields of the mail server come from the
   * environment.
   */
  readonly decidedBy: readonly (keyof Environment)[];
  readonly members: readonly (keyof ConnectionsChange)[];
}

const GROUPS: Record<Fixed, Group> = {
  mail: {
    named: 'VITRINE_SMTP_URL',
    decidedBy: ['smtp_url'],
    members: ['mail_host', 'mail_port', 'mail_security', 'mail_user', 'mail_password'],
  },
  mail_from: { named: 'VITRINE_MAIL_FROM', decidedBy: ['mail_from'], members: ['mail_from'] },
  provider_a: {
    named: 'VITRINE_PROVIDER_A_…',
    decidedBy: ['provider_a_issuer', 'provider_a_client_id'],
    members: A,
  },
  provider_b: {
    named: 'VITRINE_PROVIDER_B_…',
    decidedBy: ['provider_b_issuer', 'provider_b_client_id'],
    members: B,
  },
};

/** Fields that identify the provider whose addresses are trusted. The trust ends when one of these fields changes. */
const TRUST = {
  provider_a_owns_addresses: ['provider_a_issuer'],
  provider_b_owns_addresses: ['provider_b_issuer', 'provider_b_tenant_id', 'provider_b_profile_url'],
} as const;

/**
 * Connections derived from the settings. Each change makes a new object, so that callers detect a change by identity.
 */
interface Derived {
  readonly mail: MailTarget | undefined;
  readonly provider_a: ProviderSettings | undefined;
  readonly provider_b: ProviderSettings | undefined;
  readonly hosts: readonly string[];
}

interface Deps extends Pick<Parts, 'db' | 'bus' | 'activity'> {
  readonly store: SettingsStore;
  readonly box: SecretBox;
  readonly environment: Environment;
}

export class ConnectionsService {
  readonly #deps: Deps;
  #derived: Derived | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Undefined when no mail server is configured. */
  get mail(): MailTarget | undefined {
    return this.#now.mail;
  }

  /** Returns the settings of a provider; undefined when the provider is not configured. */
  provider(which: Provider): ProviderSettings | undefined {
    return this.#now[which];
  }

  /** Hosts inside the network that the server may fetch from. */
  get allowedHosts(): readonly string[] {
    return this.#now.hosts;
  }

  view(): View {
    const { mail_password_sealed, ...stored } = this.#stored();
    const env = this.#deps.environment;
    const fixed = this.#fixed();
    return {
      ...stored,
      ...(env.smtp_url && shownOf(env.smtp_url)),
      ...(env.mail_from && { mail_from: env.mail_from }),
      ...(fixed.includes('provider_a') && saidOf(A, env)),
      ...(fixed.includes('provider_b') && saidOf(B, env)),
      mail_password_set: (env.smtp_url ? addressOf(env.smtp_url)?.password : this.#opened(mail_password_sealed))
        ? 1
        : 0,
      fixed,
      fixed_hosts: [...env.allowed_hosts],
    };
  }

  /** Changes the settings. @throws ApiError 409 when the environment determines one of the fields */
  update(actor: Actor, change: ConnectionsChange): View {
    const given: ConnectionsChange = definedOnly(change);
    for (const group of this.#fixed()) {
      const member = GROUPS[group].members.find((name) => given[name] !== undefined);
      if (member)
        throw conflict(
          `${member} is set by an environment variable of the server’s computer (${GROUPS[group].named}). Change the variable there.`,
        );
    }
    const { mail_password, ...rest } = given;
    this.#deps.db.write(() => {
      const before = this.#stored();
      const next = { ...before, ...rest } as Stored;
      for (const [trust, names] of Object.entries(TRUST) as [keyof typeof TRUST, readonly (keyof Stored)[]][])
        if (rest[trust] === undefined && names.some((name) => next[name] !== before[name])) next[trust] = 0;
      // Clears the password when the server changes, because it may be sent only to the server that it was entered for.
      if (next.mail_host !== before.mail_host) next.mail_password_sealed = '';
      if (mail_password !== undefined)
        next.mail_password_sealed = mail_password && this.#deps.box.seal(mail_password, CONTEXT);
      next.allowed_hosts = [...new Set(next.allowed_hosts)];
      this.#deps.store.put(KEY, next);
      settingsChanged(this.#deps, actor, Object.keys(given).join(', '));
    });
    this.forget();
    return this.view();
  }

  /** Clears the derived settings, because after a failed write transaction they may differ from the stored settings. */
  forget(): void {
    this.#derived = undefined;
  }

  get #now(): Derived {
    return (this.#derived ??= this.#derive());
  }

  #derive(): Derived {
    const shown = this.view();
    const b = settingsOf('provider_b', shown);
    return {
      mail: this.#mail(shown),
      provider_a: settingsOf('provider_a', shown),
      provider_b: b && { ...b, tenantId: shown.provider_b_tenant_id, profileUrl: shown.provider_b_profile_url },
      hosts: [...shown.fixed_hosts, ...shown.allowed_hosts],
    };
  }

  #mail(shown: View): MailTarget | undefined {
    const from = shown.mail_from || (shown.mail_user.includes('@') ? shown.mail_user : 'Vitrine <vitrine@localhost>');
    if (this.#deps.environment.smtp_url) return { server: this.#deps.environment.smtp_url, from };
    if (!shown.mail_host) return undefined;
    return {
      server: {
        host: shown.mail_host,
        port: shown.mail_port,
        secure: shown.mail_security === 'tls',
        requireTLS: shown.mail_security === 'starttls',
        ignoreTLS: shown.mail_security === 'none',
        ...(shown.mail_user && {
          auth: { user: shown.mail_user, pass: this.#opened(this.#stored().mail_password_sealed) },
        }),
      },
      from,
    };
  }

  /** Decrypts the password. '' if the key is lost; the password must then be entered again. */
  #opened(sealed: string): string {
    return (sealed && this.#deps.box.open(sealed, CONTEXT)) || '';
  }

  #fixed(): Fixed[] {
    return (Object.keys(GROUPS) as Fixed[]).filter((group) =>
      GROUPS[group].decidedBy.some((name) => this.#deps.environment[name]),
    );
  }

  #stored(): Stored {
    const parsed = Stored.partial().safeParse(this.#deps.store.find(KEY));
    return parsed.success ? ({ ...NOTHING, ...parsed.data } as Stored) : NOTHING;
  }
}

/** Returns the provider's settings from the environment, which replace all stored settings. */
const saidOf = (members: typeof A | typeof B, environment: Environment): Partial<Stored> =>
  Object.fromEntries(
    members.map((name) => {
      const said = environment[name] ?? NOTHING[name];
      return [name, typeof said === 'boolean' ? Number(said) : said];
    }),
  );

const settingsOf = (which: Provider, shown: View): ProviderSettings | undefined => {
  const [issuer, clientId] = [shown[`${which}_issuer`], shown[`${which}_client_id`]];
  return issuer && clientId ? { issuer, clientId, ownsAddresses: shown[`${which}_owns_addresses`] === 1 } : undefined;
};

/** Splits an SMTP address into the fields that the admin window shows. */
const shownOf = (smtp: string) => {
  const address = addressOf(smtp);
  // An address that cannot be parsed is hidden completely, because any part of it may be the password.
  if (!address) return { mail_host: '', mail_user: '' };
  const { protocol, hostname, port, username } = address;
  const secure = protocol === 'smtps:';
  return {
    mail_host: hostname,
    mail_port: Number(port) || (secure ? 465 : 587),
    mail_security: secure ? ('tls' as const) : ('starttls' as const),
    mail_user: decodeURIComponent(username),
  };
};
/** Parses an address, with or without slashes. */
const addressOf = (smtp: string): URL | undefined =>
  URL.parse(smtp.trim().replace(/^(smtps?:)(?!\/\/)/i, '$1//')) ?? undefined;
