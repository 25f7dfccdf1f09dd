import { ServerSettings as Settings } from '../../../shared/contract/server.ts';
import { settingsChanged } from '../../kernel/activity.ts';
import type { Actor } from '../../kernel/actor.ts';
import { definedOnly } from '../../kernel/defined.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { SettingsStore } from './server-settings.store.ts';

const DEFAULT_NAME = 'Vitrine';
const KEY = 'server';
const Stored = Settings.partial();

interface Deps extends Pick<Parts, 'db' | 'bus' | 'activity'> {
  readonly store: SettingsStore;
  readonly registration: Settings['registration'];
}

/** Holds what the owner of the server decided. What is stored wins over the environment. */
export class ServerSettings {
  readonly #deps: Deps;
  readonly #defaults: Settings;

  /** @param deps.registration holds where nothing is stored (VITRINE_REGISTRATION) */
  constructor(deps: Deps) {
    this.#deps = deps;
    this.#defaults = { name: DEFAULT_NAME, registration: deps.registration, names: [] };
  }

  /**
   * What mDNS and the pairing screen call the server. The bus announces `changed` with topic `settings` when it
   * changes.
   */
  get name(): string {
    return this.current().name;
  }

  current(): Settings {
    return { ...this.#defaults, ...this.#stored() };
  }

  update(actor: Actor, change: { [K in keyof Settings]?: Settings[K] | undefined }): Settings {
    const given: Partial<Settings> = definedOnly(change);
    if (given.names) given.names = [...new Set(given.names)];
    return this.#deps.db.write(() => {
      this.#deps.store.put(KEY, { ...this.#stored(), ...given });
      settingsChanged(this.#deps, actor, Object.values(given).join(', '));
      return this.current();
    });
  }

  #stored(): Partial<Settings> {
    const parsed = Stored.safeParse(this.#deps.store.find(KEY) ?? {});
    return parsed.success ? definedOnly(parsed.data) : {};
  }
}
