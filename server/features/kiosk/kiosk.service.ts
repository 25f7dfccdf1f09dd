/** Rules of kiosk pages (resource API, Kiosk pages). */

import type { CopyBody } from '../../../shared/contract/content/copies.ts';
import {
  type KioskPage,
  type KioskPageChange,
  MAX_KIOSK_PAGES,
  type NewKioskPage,
} from '../../../shared/contract/content/kiosk.ts';
import { notFound } from '../../../shared/contract/errors.ts';
import { definedOnly } from '../../kernel/defined.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { Versioned } from '../../kernel/revision.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import { Records } from '../records.ts';
import type { Config } from '../widgets/config-rules.ts';
import type { PageDocument } from '../widgets/pages/document.ts';
import type { KioskRow, KioskStore } from './kiosk.store.ts';
import { checkKioskConfig, kioskSettings } from './kiosk-config.ts';
import { kioskPage, picturesOf } from './kiosk-page.ts';

/** Pictures that the server fetched, by their address in the page. */
export interface Pictures {
  known(workspaceId: string, urls: readonly string[]): Record<string, string>;
}

const toPage = ({ revision: _etag, ...row }: KioskRow): KioskPage => row;
const versioned = (row: KioskRow): Versioned<KioskPage> => ({ record: toPage(row), revision: row.revision });

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity' | 'bin'> {
  readonly store: KioskStore;
  readonly pictures: Pictures;
}

export class KioskService {
  readonly #deps: Deps;
  readonly #records: Records<KioskRow>;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#records = new Records({ ...deps, noun: 'Kiosk page', topic: 'kiosk', nameOf: (row) => row.name });
  }

  list(actor: WorkspaceActor): KioskPage[] {
    return this.#deps.store.ofWorkspace(actor.workspaceId).map(toPage);
  }

  get(actor: WorkspaceActor, id: string): Versioned<KioskPage> {
    return versioned(this.#records.get(actor, id));
  }

  create(actor: WorkspaceActor, { name, config = {} }: NewKioskPage): Versioned<KioskPage> {
    checkKioskConfig(config);
    return this.#add(actor, { name, config });
  }

  duplicate(actor: WorkspaceActor, id: string, body: CopyBody): Versioned<KioskPage> {
    const { name, config } = this.#records.get(actor, id);
    return this.#add(actor, { name: this.#records.nameOfCopy(actor, name, body), config });
  }

  #add(actor: WorkspaceActor, { name, config }: Pick<KioskPage, 'name' | 'config'>): Versioned<KioskPage> {
    const { store, clock, db } = this.#deps;
    this.#records.requireRoom(actor, MAX_KIOSK_PAGES);
    const now = seconds(clock);
    return db.write(() => {
      const row = store.insert({
        id: newId(),
        workspace_id: actor.workspaceId,
        name,
        config,
        created_at: now,
        updated_at: now,
      });
      this.#records.changed(actor, 'kiosk.created', row, { screens: false });
      return versioned(row);
    });
  }

  update(actor: WorkspaceActor, id: string, { name, config }: KioskPageChange, ifMatch?: string): Versioned<KioskPage> {
    if (config) checkKioskConfig(config);
    return this.#deps.db.write(() => {
      this.#records.getFor(actor, id, ifMatch);
      const row = this.#deps.store.update(id, {
        ...definedOnly({ name, config }),
        updated_at: seconds(this.#deps.clock),
      });
      this.#records.changed(actor, 'kiosk.updated', row, { screens: config !== undefined });
      return versioned(row);
    });
  }

  /** Deletes a kiosk page. Widgets that show it show nothing then. */
  delete(actor: WorkspaceActor, id: string, ifMatch?: string): void {
    this.#records.edit(actor, id, { action: 'kiosk.deleted', ifMatch }, (row) => {
      this.#deps.bin.storeRecord(actor, 'kiosk', row);
      this.#deps.store.delete(id);
    });
  }

  /** Renders the page, which is public. @throws 404 */
  render(id: string): PageDocument {
    const row = this.#deps.store.findAnywhere(id);
    if (!row) throw notFound('Kiosk page');
    return this.#shown(row.workspace_id, row.config);
  }

  /**
   * Renders a preview. Saves nothing.
   * @throws 400 that names the key with a wrong type
   */
  preview(actor: WorkspaceActor, config: Config): PageDocument {
    checkKioskConfig(config);
    return this.#shown(actor.workspaceId, config);
  }

  #shown(workspaceId: string, config: Config): PageDocument {
    const settings = kioskSettings(config);
    const pictures = this.#deps.pictures.known(workspaceId, picturesOf(settings));
    return kioskPage(settings, {
      data: Object.keys(pictures).length > 0 ? { pictures } : null,
      now: this.#deps.clock.now(),
      reload: 0,
      hints: true,
    });
  }
}
