import {
  deleteFromBin,
  emptyBin,
  listBin,
  listPlaces,
  listRelated,
  restoreFromBin,
} from '../../../shared/contract/content/bin.ts';
import { success } from '../../../shared/contract/fields.ts';
import { type Bound, bind, Reply } from '../../http/api.ts';
import type { Actor, WorkspaceActor } from '../../kernel/trust/actor.ts';
import type { BinService } from './bin.service.ts';

/** A person who manages a workspace is always in a workspace. */
const inWorkspace = (actor: Actor): WorkspaceActor => ({ ...actor, workspaceId: actor.workspaceId! });

export const binRoutes = (service: BinService): Bound[] => [
  bind(listBin, ({ actor, query }) => {
    const { records, total } = service.list(actor, query);
    return new Reply(records, { total });
  }),
  bind(listPlaces, ({ actor, params, query }) => service.placesOf(actor, query.kind, params.id)),
  bind(listRelated, ({ actor, params }) => service.related(actor, params.id)),
  bind(restoreFromBin, ({ actor, params }) => service.restore(actor, params.id)),
  bind(deleteFromBin, ({ actor, params }) => {
    service.delete(inWorkspace(actor), params.id);
    return success;
  }),
  bind(emptyBin, ({ actor }) => ({ ...success, deleted: service.empty(inWorkspace(actor)) })),
];
