/** Rules of widgets (resource API, Widgets). */

import type { CopyBody } from '../../../shared/contract/content/copies.ts';
import type { WidgetType } from '../../../shared/contract/content/widget-types.ts';
import {
  type listWidgets,
  MAX_WIDGETS,
  type NewWidget,
  type Widget,
  type WidgetChange,
} from '../../../shared/contract/content/widgets.ts';
import type { QueryOf } from '../../../shared/contract/endpoint.ts';
import { announce } from '../../kernel/bus.ts';
import { definedOnly } from '../../kernel/defined.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { Versioned } from '../../kernel/revision.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import { type PlaylistReferences, Records } from '../records.ts';
import { ALWAYS, validityChange } from '../validity.ts';
import { checkWidgetConfig } from './widget-config.ts';
import type { WidgetRow, WidgetsStore } from './widgets.store.ts';

const toWidget = ({ revision: _etag, ...row }: WidgetRow): Widget => ({
  ...row,
  widget_type: row.widget_type as WidgetType,
});
const versioned = (row: WidgetRow): Versioned<Widget> => ({ record: toWidget(row), revision: row.revision });

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity' | 'bin'> {
  readonly store: WidgetsStore;
  readonly playlists: PlaylistReferences;
}

export class WidgetsService {
  readonly #deps: Deps;
  readonly #records: Records<WidgetRow>;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#records = new Records({ ...deps, noun: 'Widget', topic: 'widgets', nameOf: (row) => row.name });
  }

  list(actor: WorkspaceActor, { owner }: QueryOf<typeof listWidgets>): Widget[] {
    return this.#deps.store.list(actor.workspaceId, owner).map(toWidget);
  }

  get(actor: WorkspaceActor, id: string): Versioned<Widget> {
    return versioned(this.#records.get(actor, id));
  }

  /** Returns a widget for other features, or undefined when the workspace has no such widget. */
  find(workspaceId: string, id: string): { readonly id: string; readonly name: string } | undefined {
    return this.#deps.store.find(workspaceId, id);
  }

  create(actor: WorkspaceActor, { widget_type, name, config = {}, ...validity }: NewWidget): Versioned<Widget> {
    const { store, clock, db } = this.#deps;
    checkWidgetConfig(widget_type, config);
    this.#records.requireRoom(actor, MAX_WIDGETS);
    const now = seconds(clock);
    return db.write(() => {
      const row = store.insert({
        id: newId(),
        workspace_id: actor.workspaceId,
        widget_type,
        name,
        config,
        ...validityChange(ALWAYS, validity),
        created_at: now,
        updated_at: now,
      });
      // No screen shows the new widget yet, so no screen is notified.
      this.#records.changed(actor, 'widget.created', row, { screens: false });
      return versioned(row);
    });
  }

  duplicate(actor: WorkspaceActor, id: string, body: CopyBody): Versioned<Widget> {
    const { widget_type, config, valid_from, valid_until, name } = this.#records.get(actor, id);
    this.#records.requireRoom(actor, MAX_WIDGETS);
    const now = seconds(this.#deps.clock);
    return this.#deps.db.write(() => {
      const row = this.#deps.store.insert({
        id: newId(),
        workspace_id: actor.workspaceId,
        name: this.#records.nameOfCopy(actor, name, body),
        ...{ widget_type, config, valid_from, valid_until },
        created_at: now,
        updated_at: now,
      });
      // No screen shows the new widget yet, so no screen is notified.
      this.#records.changed(actor, 'widget.created', row, { screens: false });
      return versioned(row);
    });
  }

  update(
    actor: WorkspaceActor,
    id: string,
    { name, config, ...validity }: WidgetChange,
    ifMatch?: string,
  ): Versioned<Widget> {
    return this.#deps.db.write(() => {
      const before = this.#records.getFor(actor, id, ifMatch);
      if (config) checkWidgetConfig(before.widget_type as WidgetType, config);
      const row = this.#deps.store.update(id, {
        ...definedOnly({ name, config }),
        ...validityChange(before, validity),
        updated_at: seconds(this.#deps.clock),
      });
      this.#records.changed(actor, 'widget.updated', row);
      return versioned(row);
    });
  }

  /**
   * Deletes a widget. Its items disappear from drafts and snapshots, and schedules that showed nothing else are
   * deleted.
   */
  delete(actor: WorkspaceActor, id: string, ifMatch?: string): void {
    this.#records.edit(actor, id, { action: 'widget.deleted', ifMatch }, (row) => {
      this.#deps.bin.storeRecord(actor, 'widget', row);
      const playlists = this.#deps.playlists.playlistsWith({ widgetIds: [id] });
      const schedules = this.#deps.store.schedulesWith(id);
      this.#deps.store.deleteSchedulesOfOnly('widget_id', id);
      this.#deps.store.delete(id);
      this.#deps.playlists.itemsGone(playlists);
      if (playlists.length > 0) announce(this.#deps, actor, { topic: 'playlists', ids: playlists, screens: false });
      if (schedules.length > 0) announce(this.#deps, actor, { topic: 'schedules', ids: schedules, screens: false });
    });
  }
}
