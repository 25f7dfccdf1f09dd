/**
 * Whom the server speaks with: its mail server, identity providers, hosts in the network. What the environment says
 * wins.
 */
import { z } from 'zod';
import { conflict } from '../../../shared/contract/errors.ts';
import {
  type ConnectionsChange,
  Connections as Declared,
  type Fixed,
  type Connections as View,
} from '../../../shared/contract/server.ts';
import { settingsChanged } from '../../kernel/activity.ts';
import type { Actor } from '../../kernel/actor.ts';
import { definedOnly } from '../../kernel/defined.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { MailTarget } from './mailer.ts';
import type { ProviderSettings } from './oidc.ts';
import type { SecretBox } from './secret-box.ts';
import type { SettingsStore } from './server-settings.store.ts';

const KEY = 'connections';
/** What the sealed password belongs to: it opens for nothing else. */
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

/** What the environment can decide, as server/config.ts has it. */
interface ConnectionsEnvironment {
  readonly smtp_url?: string | undefined;
  readonly mail_from?: string | undefined;
  readonly provider_a_issuer?: string | undefined;
  readonly provider_a_client_id?: string | undefined;
  readonly provider_b_issuer?: string | undefined;
  readonly provider_b_client_id?: string | undefined;
  readonly provider_b_tenant_id?: string | undefined;
  readonly provider_b_profile_url?: string | undefined;
  readonly provider_a_owns_addresses?: boolean | undefined;
  readonly provider_b_owns_addresses?: boolean | undefined;
  readonly allowed_hosts: readonly string[];
}

const MEMBERS: Record<Fixed, { readonly named: string; readonly members: readonly (keyof ConnectionsChange)[] }> = {
  mail: {
    named: 'VITRINE_SMTP_URL',
    members: ['mail_host', 'mail_port', 'mail_security', 'mail_user', 'mail_password'],
  },
  mail_from: { named: 'VITRINE_MAIL_FROM', members: ['mail_from'] },
  provider_a: {
    named: 'VITRINE_PROVIDER_A_…',
    members: ['provider_a_issuer', 'provider_a_client_id', 'provider_a_owns_addresses'],
  },
  provider_b: {
    named: 'VITRINE_PROVIDER_B_…',
    members: [
      'provider_b_issuer',
      'provider_b_client_id',
      'provider_b_tenant_id',
      'provider_b_profile_url',
      'provider_b_owns_addresses',
    ],
  },
};

/**
 * What follows from the settings, worked out once for each change: who holds a connection sees by identity that it is
 * another.
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
  readonly environment: ConnectionsEnvironment;
}

export class ConnectionsService {
  readonly #deps: Deps;
  #derived: Derived | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Undefined: no mail can be sent. */
  get mail(): MailTarget | undefined {
    return this.#now.mail;
  }

  /** Undefined: not in use. */
  provider(which: 'provider_a' | 'provider_b'): ProviderSettings | undefined {
    return this.#now[which];
  }

  /** Hosts inside the network that may be fetched from. */
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
      ...(fixed.includes('provider_a') && {
        provider_a_issuer: env.provider_a_issuer ?? '',
        provider_a_client_id: env.provider_a_client_id ?? '',
        provider_a_owns_addresses: env.provider_a_owns_addresses ? 1 : 0,
      }),
      ...(fixed.includes('provider_b') && {
        provider_b_issuer: env.provider_b_issuer ?? '',
        provider_b_client_id: env.provider_b_client_id ?? '',
        provider_b_tenant_id: env.provider_b_tenant_id ?? '',
        provider_b_profile_url: env.provider_b_profile_url ?? '',
        provider_b_owns_addresses: env.provider_b_owns_addresses ? 1 : 0,
      }),
      mail_password_set: (env.smtp_url ? passwordIn(env.smtp_url) : this.#opened(mail_password_sealed) !== '') ? 1 : 0,
      fixed,
      fixed_hosts: [...env.allowed_hosts],
    };
  }

  /** @throws ApiError 409 when the environment decides a member that is given */
  update(actor: Actor, change: ConnectionsChange): View {
    const given: ConnectionsChange = definedOnly(change);
    for (const group of this.#fixed()) {
      const member = MEMBERS[group].members.find((name) => given[name] !== undefined);
      if (member)
        throw conflict(
          `${member} is decided by the environment of the server’s computer (${MEMBERS[group].named}). Change it there.`,
        );
    }
    const { mail_password, ...rest } = given;
    this.#deps.db.write(() => {
      const before = this.#stored();
      const next = { ...before, ...trustOf(before, rest), ...rest } as Stored;
      // A secret goes to the server it was given for, and to no other.
      if (next.mail_host !== before.mail_host) next.mail_password_sealed = '';
      if (mail_password !== undefined)
        next.mail_password_sealed = mail_password && this.#deps.box.seal(mail_password, CONTEXT);
      if (next.allowed_hosts !== before.allowed_hosts) next.allowed_hosts = [...new Set(next.allowed_hosts)];
      this.#deps.store.put(KEY, next);
      settingsChanged(this.#deps, actor, Object.keys(given).join(', '));
    });
    this.forget();
    return this.view();
  }

  /** After a failed write: what was remembered may not be what is stored. */
  forget(): void {
    this.#derived = undefined;
  }

  get #now(): Derived {
    return (this.#derived ??= this.#derive());
  }

  #derive(): Derived {
    const shown = this.view();
    return {
      mail: this.#mail(shown),
      provider_a:
        shown.provider_a_issuer && shown.provider_a_client_id
          ? {
              issuer: shown.provider_a_issuer,
              clientId: shown.provider_a_client_id,
              ownsAddresses: shown.provider_a_owns_addresses === 1,
            }
          : undefined,
      provider_b:
        shown.provider_b_issuer && shown.provider_b_client_id
          ? {
              issuer: shown.provider_b_issuer,
              clientId: shown.provider_b_client_id,
              tenantId: shown.provider_b_tenant_id || undefined,
              profileUrl: shown.provider_b_profile_url || undefined,
              ownsAddresses: shown.provider_b_owns_addresses === 1,
            }
          : undefined,
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

  /** '' also when the key is lost: it has to be typed again. */
  #opened(sealed: string): string {
    return (sealed && this.#deps.box.open(sealed, CONTEXT)) || '';
  }

  #fixed(): Fixed[] {
    const env = this.#deps.environment;
    return [
      ...(env.smtp_url ? (['mail'] as const) : []),
      ...(env.mail_from ? (['mail_from'] as const) : []),
      ...(env.provider_a_issuer || env.provider_a_client_id ? (['provider_a'] as const) : []),
      ...(env.provider_b_issuer || env.provider_b_client_id ? (['provider_b'] as const) : []),
    ];
  }

  #stored(): Stored {
    const parsed = Stored.partial().safeParse(this.#deps.store.find(KEY) ?? {});
    return parsed.success ? ({ ...NOTHING, ...parsed.data } as Stored) : NOTHING;
  }
}

/** Trust in the addresses of a provider is in that provider, and in no other that is set in its place. */
const trustOf = (before: Stored, change: ConnectionsChange): Partial<Stored> => {
  const isOther = (
    ...names: ('provider_a_issuer' | 'provider_b_issuer' | 'provider_b_tenant_id' | 'provider_b_profile_url')[]
  ) => names.some((name) => change[name] !== undefined && change[name] !== before[name]);
  return {
    ...(isOther('provider_a_issuer') && { provider_a_owns_addresses: 0 }),
    ...(isOther('provider_b_issuer', 'provider_b_tenant_id', 'provider_b_profile_url') && {
      provider_b_owns_addresses: 0,
    }),
  };
};

/** An SMTP address as the members that people see. */
const shownOf = (smtp: string) => {
  const address = addressOf(smtp);
  // All of it may be its password.
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
const passwordIn = (smtp: string): boolean => Boolean(addressOf(smtp)?.password);
/** The slashes may be missing. */
const addressOf = (smtp: string): URL | undefined =>
  URL.parse(smtp.trim().replace(/^(smtps?:)(?!\/\/)/i, '$1//')) ?? undefined;
