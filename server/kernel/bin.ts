import type { BinKind } from '../../shared/contract/bin.ts';
import type { WorkspaceActor } from './actor.ts';

/** Takes what features are about to delete or replace, so that it can come back. */
export interface Bin {
  /** Called within the write that deletes, before anything of it is gone. `name`: what people call it. */
  keep(
    actor: Pick<WorkspaceActor, 'workspaceId' | 'userId' | 'userName'>,
    kind: BinKind,
    record: { readonly id: string; readonly name: string },
  ): void;
}
