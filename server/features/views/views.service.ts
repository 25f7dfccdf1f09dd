/** Rules of saved views of lists. Views belong to a user: no other user sees them, and they are not logged. */
import type { BodyOf } from '../../../shared/contract/endpoint.ts';
import { badRequest, conflict, notFound } from '../../../shared/contract/errors.ts';
import { type createView, MAX_VIEWS, type updateView, type View } from '../../../shared/contract/screens/views.ts';
import { definedOnly } from '../../kernel/defined.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import type { Owner, ViewsStore } from './views.store.ts';

interface Deps extends Pick<Parts, 'db' | 'clock'> {
  readonly store: ViewsStore;
}

export class ViewsService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  list(actor: Actor): View[] {
    return actor.workspaceId === null ? [] : this.#deps.store.list(ownerOf(actor));
  }

  create(actor: Actor, { name, query }: BodyOf<typeof createView>): View {
    const { store, db, clock } = this.#deps;
    const owner = ownerOf(actor);
    const view = { id: newId(), name, query, created_at: seconds(clock) };
    db.write(() => {
      const mine = store.list(owner);
      for (const same of mine.filter((one) => one.name === name)) store.delete(owner, same.id);
      if (mine.filter((one) => one.name !== name).length >= MAX_VIEWS)
        throw badRequest(`You already have ${MAX_VIEWS} views. Delete a view that you do not need, then try again.`);
      store.insert(owner, view);
    });
    return view;
  }

  update(actor: Actor, id: string, body: BodyOf<typeof updateView>): View {
    const { store, db } = this.#deps;
    const owner = ownerOf(actor);
    return db.write(() => {
      const mine = store.list(owner);
      const view = mine.find((one) => one.id === id);
      if (!view) throw notFound('View');
      if (mine.some((one) => one.id !== id && one.name === body.name))
        throw conflict(
          `You already have a view with the name ${body.name}. Choose another name, or delete that view first.`,
        );
      const change = definedOnly(body);
      if (Object.keys(change).length > 0) store.update(owner, id, change);
      return { ...view, ...change };
    });
  }

  delete(actor: Actor, id: string): void {
    const { store, db } = this.#deps;
    if (actor.workspaceId === null || !db.write(() => store.delete(ownerOf(actor), id))) throw notFound('View');
  }
}

const ownerOf = ({ workspaceId, userId }: Actor): Owner => {
  if (workspaceId === null)
    throw badRequest('You do not belong to a workspace yet. Ask for an invitation, or create a workspace.');
  return { workspaceId, userId };
};
