/** Upkeep settings of the server's owner, stored in the server settings. */
import { z } from 'zod';
import { badRequest } from '../../shared/contract/errors.ts';
import type { UpkeepChange, UpkeepSettings as View } from '../../shared/contract/server/upkeep.ts';
import { settingsChanged } from '../kernel/activity.ts';
import { definedOnly } from '../kernel/defined.ts';
import type { Parts } from '../kernel/parts.ts';
import type { Actor } from '../kernel/trust/actor.ts';
import { backupsFolder } from './backup/make-backup.ts';
import type { Place } from './backup/place.ts';
import type { UpkeepStore } from './upkeep.store.ts';

/** Encrypts values that must not be readable in the database (features/accounts/secret-box.ts). */
interface SecretKeeper {
  seal(text: string, context: string): string;
  open(sealed: string, context: string): string | undefined;
}

const KEY = 'upkeep';
/**
 * Settings that are stored encrypted. The name of the setting is part of its encryption, so that a value cannot be
 * moved to another setting.
 */
const SECRETS = ['webhook_url', 'webhook_secret', 'mqtt_url', 'mqtt_password'] as const;
type Secret = (typeof SECRETS)[number];
const contextOf = (name: Secret): string => `settings:${name}`;
/**
 * Settings that are addresses, each with the setting of its secret. An address may contain secrets anywhere except in
 * its host.
 */
const ADDRESSES = [
  ['webhook_url', 'webhook_secret'],
  ['mqtt_url', 'mqtt_password'],
] as const;
/** Text shown instead of the hidden part of an address. */
const HIDDEN = '…';

const Stored = z.object({
  plays_days: z.number().catch(400),
  telemetry_days: z.number().catch(30),
  activity_days: z.number().catch(400),
  logs_days: z.number().catch(14),
  backup_daily: z.literal([0, 1]).catch(1),
  backup_hour: z.number().catch(3),
  backup_keep: z.number().catch(7),
  backup_folder: z.string().catch(''),
  dark_minutes: z.number().catch(15),
  dark_mail: z.literal([0, 1]).catch(1),
  webhook_url: z.string().catch(''),
  webhook_secret: z.string().catch(''),
  webhook_plays: z.literal([0, 1]).catch(0),
  mqtt_url: z.string().catch(''),
  mqtt_username: z.string().catch(''),
  mqtt_password: z.string().catch(''),
  mqtt_topic: z.string().catch('vitrine'),
  mqtt_plays: z.literal([0, 1]).catch(0),
});
type UpkeepValues = z.infer<typeof Stored>;

/** Writes the marker file into a folder for backups. Returns why the folder cannot be used; undefined on success. */
export type ChoosePlace = (place: Place) => Promise<string | undefined>;

interface Deps extends Pick<Parts, 'db' | 'bus' | 'activity'> {
  readonly store: Pick<UpkeepStore, 'find' | 'put'>;
  readonly data: string;
  readonly box: SecretKeeper;
  readonly choose: ChoosePlace;
}

export class UpkeepSettings {
  readonly #deps: Deps;
  #values: UpkeepValues | undefined;
  #listeners: (() => void)[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Settings with decrypted secrets, which no answer may contain. A secret whose key is lost is ''. */
  get values(): UpkeepValues {
    if (this.#values) return this.#values;
    const stored = this.#stored();
    const opened = SECRETS.map((name) => [name, this.#opened(name, stored[name])]);
    return (this.#values = { ...stored, ...Object.fromEntries(opened) });
  }

  /** Encrypts values that an older version stored in plain text. Called once at the start. */
  sealAll(): void {
    const stored = this.#stored();
    const plain = SECRETS.filter((name) => isPlain(stored[name]));
    if (plain.length === 0) return;
    this.#deps.db.write(() =>
      this.#deps.store.put(KEY, {
        ...stored,
        ...Object.fromEntries(plain.map((name) => [name, this.#deps.box.seal(stored[name], contextOf(name))])),
      }),
    );
  }

  #opened(name: Secret, stored: string): string {
    if (stored === '' || isPlain(stored)) return stored;
    return this.#deps.box.open(stored, contextOf(name)) ?? '';
  }

  #stored(): UpkeepValues {
    return Stored.parse(this.#deps.store.find(KEY) ?? {});
  }

  get place(): Place {
    const { backup_folder } = this.values;
    return backup_folder ? { folder: backup_folder, chosen: true, data: this.#deps.data } : this.ownPlace;
  }

  /** Path of the backup folder in the data folder, used until a person chooses another folder. */
  get ownPlace(): Place {
    return { folder: backupsFolder(this.#deps.data), chosen: false, data: this.#deps.data };
  }

  view(): View {
    const { webhook_secret, mqtt_password, webhook_url, mqtt_url, ...rest } = this.values;
    return {
      ...rest,
      webhook_url: shownOf(webhook_url),
      webhook_secret_set: webhook_secret ? 1 : 0,
      mqtt_url: shownOf(mqtt_url),
      mqtt_password_set: mqtt_password ? 1 : 0,
    };
  }

  async update(actor: Actor, change: UpkeepChange): Promise<View> {
    const { choose, data, db, box, store } = this.#deps;
    const given: UpkeepChange = definedOnly(this.#withoutShown(change));
    const wrong = given.backup_folder && (await choose({ folder: given.backup_folder, chosen: true, data }));
    if (wrong) throw badRequest(`backup_folder: ${wrong}`);
    db.write(() => {
      const changed = { ...this.#forgotten(given), ...given };
      const sealed = SECRETS.flatMap((name) =>
        changed[name] === undefined ? [] : [[name, changed[name] && box.seal(changed[name], contextOf(name))]],
      );
      store.put(KEY, { ...this.#stored(), ...changed, ...Object.fromEntries(sealed) });
      settingsChanged(this.#deps, actor, Object.keys(given).join(', '));
    });
    this.#values = undefined;
    for (const listener of this.#listeners) listener();
    return this.view();
  }

  /**
   * Removes addresses that a form sends back in their hidden form, so that they stay unchanged.
   * @throws ApiError 400
   * when a hidden address was edited
   */
  #withoutShown(change: UpkeepChange): UpkeepChange {
    const rest = { ...change };
    for (const [name] of ADDRESSES) {
      if (!rest[name]?.includes(HIDDEN)) continue;
      if (rest[name] !== shownOf(this.values[name]))
        throw badRequest(
          `${name}: must be the complete address; ${HIDDEN} is only a placeholder for the hidden part of the current address`,
        );
      delete rest[name];
    }
    return rest;
  }

  /** Clears the secrets of changed addresses, because a secret was entered for one server only. */
  #forgotten(change: UpkeepChange): Partial<UpkeepValues> {
    const moved = ADDRESSES.filter(
      ([address]) => change[address] !== undefined && originOf(change[address]) !== originOf(this.values[address]),
    );
    return Object.fromEntries(moved.map(([, secret]) => [secret, '']));
  }

  /** Clears the cache after a failed write. */
  forget(): void {
    this.#values = undefined;
  }

  /** Calls the listener after each change of the settings. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void {
    this.#listeners.push(listener);
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    };
  }
}

/** Returns whether a stored value is plain text. An encrypted value is base64 of a nonce, a tag and the ciphertext. */
const isPlain = (stored: string): boolean => stored !== '' && !/^[A-Za-z0-9+/]{38,}={0,2}$/.test(stored);

const originOf = (address: string): string => {
  if (!URL.canParse(address)) return '';
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}`;
};

/** Returns an address without parts that may be secret: path, query, user name. */
const shownOf = (address: string): string => {
  if (!URL.canParse(address)) return '';
  const { username, password, pathname, search, hash } = new URL(address);
  const isAll = !username && !password && !search && !hash && (pathname === '' || pathname === '/');
  return isAll ? address : `${originOf(address)}/${HIDDEN}`;
};
