import type { BinKind } from '../../shared/contract/content/bin.ts';
import type { WorkspaceActor } from './trust/actor.ts';

/**
 * Interface through which features move records to the bin before they delete or replace them, so that the records can
 * be restored.
 */
export interface Bin {
  /**
   * Stores a record in the bin. Called within the write transaction that deletes, before any row is deleted. `name` is
   * the record's name as people know it.
   */
  storeRecord(
    actor: Pick<WorkspaceActor, 'workspaceId' | 'userId' | 'userName'>,
    kind: BinKind,
    record: { readonly id: string; readonly name: string },
  ): void;
}
