/** Brands of workspaces. A change reaches the screens at once, because programs with designs are compiled again. */
import { ApiError } from '../../../shared/contract/errors.ts';
import type { BrandChange, WorkspaceBrand } from '../../../shared/contract/people/brand.ts';
import { type Brand, paletteOf } from '../../../shared/design/brand.ts';
import { announce } from '../../kernel/bus.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import type { BrandsStore } from './brands.store.ts';
import type { WorkspaceAccess } from './workspace-access.ts';

interface Deps extends Pick<Parts, 'db' | 'bus' | 'activity'> {
  readonly store: BrandsStore;
  readonly access: WorkspaceAccess;
}

export class BrandsService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get(actor: Actor, workspaceId: string): WorkspaceBrand {
    this.#deps.access.enter(actor, workspaceId);
    return this.#answer(workspaceId);
  }

  update(actor: Actor, workspaceId: string, change: BrandChange): WorkspaceBrand {
    const { db, store, access, activity } = this.#deps;
    return db.write(() => {
      const { name } = access.manage(actor, workspaceId);
      const { brand } = store.find(workspaceId)!;
      for (const field of ['logo_content_id', 'logo_dark_content_id'] as const)
        this.#requirePicture(workspaceId, field, change[field]);
      store.save(workspaceId, { ...brand, ...definedIn(change) });
      activity.add({ workspaceId, actor, action: 'workspace.brand_changed', details: name });
      const by = { workspaceId, userId: actor.userId };
      announce(this.#deps, by, { topic: 'brand', ids: [workspaceId] });
      announce(this.#deps, by, { topic: 'settings' });
      return this.#answer(workspaceId);
    });
  }

  #requirePicture(workspaceId: string, field: string, contentId: string | null | undefined): void {
    if (!contentId) return;
    const kind = this.#deps.store.kindOf(workspaceId, contentId);
    if (kind !== 'image')
      throw new ApiError(kind === undefined ? 404 : 400, `${field}: must be an image of this workspace`);
  }

  #answer(workspaceId: string): WorkspaceBrand {
    const { brand, displayName } = this.#deps.store.find(workspaceId)!;
    return { ...brand, display_name: displayName, palette: paletteOf(brand) };
  }
}

/** Returns a change without the fields that are undefined. */
const definedIn = (change: BrandChange): Partial<Brand> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
