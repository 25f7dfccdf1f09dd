import type { PageDocument } from '../widgets/pages/document.ts';
import type { KioskRow, KioskStore } from './kiosk.store.ts';
import { kioskSettings } from './kiosk-config.ts';
import { kioskPage, picturesOf } from './kiosk-page.ts';

/** Matches the address of a kiosk page: a path of this server, or a URL with any host name. */
const RENDER_PATH = /^(?:https?:\/\/[^/]+)?\/api\/kiosk\/([^/?#]+)\/render(?:[?#]|$)/i;

/** Finds kiosk pages that widgets name by an address of this server. */
export class NamedKioskPages {
  readonly #store: KioskStore;

  constructor(store: KioskStore) {
    this.#store = store;
  }

  /** Returns the kiosk page of this address in the form for players; undefined when the workspace has no such page. */
  page(
    workspaceId: string,
    url: string,
  ): { readonly key: string; readonly hasPictures: boolean; render(): PageDocument } | undefined {
    const row = this.#named(workspaceId, url);
    if (!row) return undefined;
    const settings = kioskSettings(row.config);
    return {
      key: JSON.stringify(settings),
      hasPictures: picturesOf(settings).length > 0,
      render: () => kioskPage(settings),
    };
  }

  pictures(workspaceId: string, url: string): readonly string[] | undefined {
    const row = this.#named(workspaceId, url);
    return row && picturesOf(kioskSettings(row.config));
  }

  #named(workspaceId: string, url: string): KioskRow | undefined {
    const id = RENDER_PATH.exec(url)?.[1];
    return id === undefined ? undefined : this.#store.find(workspaceId, id);
  }
}
