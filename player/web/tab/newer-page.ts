/**
 * Decides when the page reloads: never without a server, because the page could not be loaded then. A page that runs
 * for months outlives its server's version. When the server returns with other scripts, it has a newer player.
 */
const TRIED = 'vitrine.reloaded-for';
const ASK_AGAIN_MS = 5_000;

interface Deps {
  /** Fetches the page from the server; rejects without a server. */
  readonly fetchPage: () => Promise<{ readonly ok: boolean; text(): Promise<string> }>;
  readonly reload: () => void;
  /** Storage that survives reloads of the tab. */
  readonly memory: Pick<Storage, 'getItem' | 'setItem'>;
  readonly pause: (ms: number) => Promise<unknown>;
}

export class Reloading {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @param script address of the running script; built files are named by their bytes */
  async whenNewer(script: string): Promise<void> {
    const { memory, reload } = this.#deps;
    const name = script.split('/').at(-1) ?? '';
    const page = await this.#served();
    // A second reload for the same content of the page is useless: the first reload still ran the old script.
    if (page === undefined || page.includes(name) || memory.getItem(TRIED) === page) return;
    memory.setItem(TRIED, page);
    reload();
  }

  /**
   * Reloads the page after it has lost its database, once the server answers: a fresh page creates a new database.
   * Until then the picture continues.
   */
  async whenServed(): Promise<void> {
    while ((await this.#served()) === undefined) await this.#deps.pause(ASK_AGAIN_MS);
    this.#deps.reload();
  }

  /**
   * Returns the server's page as text, which names its scripts. Undefined if the server does not answer, or another
   * page answers (of a proxy, or an error).
   */
  async #served(): Promise<string | undefined> {
    try {
      const response = await this.#deps.fetchPage();
      const page = await response.text();
      return response.ok && page.includes('id="screen"') ? page : undefined;
    } catch {
      return undefined;
    }
  }
}
