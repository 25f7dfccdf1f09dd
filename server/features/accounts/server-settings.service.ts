import { isLanguage, type Language } from '../../../shared/contract/people/language.ts';
import { ServerSettings as Settings } from '../../../shared/contract/server/server.ts';
import { settingsChanged } from '../../kernel/activity.ts';
import { definedOnly } from '../../kernel/defined.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import type { SettingsStore } from './server-settings.store.ts';

const DEFAULT_NAME = 'Vitrine';
const KEY = 'server';
const Stored = Settings.partial();

interface Deps extends Pick<Parts, 'db' | 'bus' | 'activity'> {
  readonly store: SettingsStore;
  readonly registration: Settings['registration'];
  readonly language: Language | undefined;
}

/** Server settings without the language, whose default is determined separately. */
type Current = Omit<Settings, 'language'>;

/** Settings of the server's owner. Stored values override the environment. */
export class ServerSettings {
  readonly #deps: Deps;
  readonly #defaults: Current;
  /** Cached stored settings. They are read often, because stores of a chain get the server's name with each answer. */
  #known: Partial<Settings> | undefined;
  /** Whether the stored settings are not committed yet and may be undone. */
  #isOpen = false;

  /** @param deps.registration, deps.language defaults (VITRINE_REGISTRATION, VITRINE_LANGUAGE) */
  constructor(deps: Deps) {
    this.#deps = deps;
    this.#defaults = { name: DEFAULT_NAME, registration: deps.registration, names: [] };
    deps.db.onLost(() => this.#settled());
  }

  /**
   * Name of the server in mDNS and on the pairing screen. The bus announces `changed` with topic `settings` after a
   * change.
   */
  get name(): string {
    return this.current().name;
  }

  current(): Current {
    const { language: _, ...stored } = this.#stored();
    return { ...this.#defaults, ...stored };
  }

  /** Language of e-mails to people who chose none. */
  get language(): Language {
    return this.#stored().language ?? this.#deps.language ?? machineLanguage();
  }

  view(): Settings {
    return { ...this.current(), language: this.language };
  }

  /**
   * Sets the language to that of the first user, if none is set. Called within the write transaction that creates the
   * user.
   */
  begin(language: Language): void {
    const stored = this.#stored();
    if (!stored.language && !this.#deps.language) this.#put({ ...stored, language });
  }

  update(actor: Actor, change: { [K in keyof Settings]?: Settings[K] | undefined }): Settings {
    const given: Partial<Settings> = definedOnly(change);
    if (given.names) given.names = [...new Set(given.names)];
    return this.#deps.db.write(() => {
      this.#put({ ...this.#stored(), ...given });
      settingsChanged(this.#deps, actor, Object.values(given).join(', '));
      return this.view();
    });
  }

  /** Called within a write transaction. */
  #put(settings: Partial<Settings>): void {
    const { store, db } = this.#deps;
    this.#isOpen = true;
    store.put(KEY, settings);
    db.afterCommit(() => this.#settled());
  }

  #settled(): void {
    this.#known = undefined;
    this.#isOpen = false;
  }

  #stored(): Partial<Settings> {
    return this.#isOpen ? this.#read() : (this.#known ??= this.#read());
  }

  #read(): Partial<Settings> {
    const parsed = Stored.safeParse(this.#deps.store.find(KEY));
    return parsed.success ? definedOnly(parsed.data) : {};
  }
}

const machineLanguage = (): Language => {
  const [language] = Intl.DateTimeFormat().resolvedOptions().locale.split('-');
  return isLanguage(language) ? language : 'en';
};
