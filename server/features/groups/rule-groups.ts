/** Updates members of groups with rules when tags of screens change. */

import { announce } from '../../kernel/bus.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { GroupsStore } from './groups.store.ts';

interface Deps extends Pick<Parts, 'db' | 'bus'> {
  readonly store: Pick<GroupsStore, 'withRules' | 'fit'>;
}

export class RuleGroups {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Called within the write transaction that changed the tags of these devices. */
  follow(by: { readonly workspaceId: string; readonly userId: string | null }, deviceIds: readonly string[]): void {
    const { store } = this.#deps;
    const { workspaceId } = by;
    const ids = store
      .withRules(workspaceId)
      .filter((group) => store.fit(group, { workspaceId, deviceIds }))
      .map(({ id }) => id);
    if (ids.length > 0) announce(this.#deps, by, { topic: 'groups', ids });
  }
}
