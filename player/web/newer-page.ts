/**
 * When the page loads itself again: never without a server, since there would be nothing to come back to. A page that
 * runs for months outlives the version of its server; back with other scripts, the server has a newer player.
 */
const TRIED = 'vitrine.reloaded-for';
const ASK_AGAIN_MS = 5_000;

interface Deps {
  /** The page as the server gives it now; rejects when there is no server. */
  readonly fetchPage: () => Promise<{ readonly ok: boolean; text(): Promise<string> }>;
  readonly reload: () => void;
  /** Kept over reloads of the tab. */
  readonly memory: Pick<Storage, 'getItem' | 'setItem'>;
  readonly pause: (ms: number) => Promise<unknown>;
}

export class Reloading {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @param script address of the script that runs; built files are named by their bytes */
  async whenNewer(script: string): Promise<void> {
    const { memory, reload } = this.#deps;
    const name = script.split('/').at(-1) ?? '';
    const page = await this.#served();
    // One that has been tried and was the same again is no reason to leave once more.
    if (page === undefined || page.includes(name) || memory.getItem(TRIED) === page) return;
    memory.setItem(TRIED, page);
    reload();
  }

  /** What this page kept is out of its reach: a fresh one makes itself a new store. Until then the picture goes on. */
  async whenServed(): Promise<void> {
    while ((await this.#served()) === undefined) await this.#deps.pause(ASK_AGAIN_MS);
    this.#deps.reload();
  }

  /** Undefined: nobody answers, or something else does (a proxy, an error). */
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
