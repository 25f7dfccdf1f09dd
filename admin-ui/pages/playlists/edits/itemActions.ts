import { type PlaylistItem, replaceItemSchedules, updateItem } from '../../../../shared/contract/content/playlists.ts';
import type { Valid } from '../../../../shared/contract/content/validity.ts';
import { updateAssignment } from '../../../../shared/contract/screens/assignments.ts';
import type { Transition } from '../../../../shared/program/program.ts';
import type { Topic } from '../../../../shared/protocol/live.ts';
import { client } from '../../../api/requests/client.ts';
import { changed } from '../playlist.utils.ts';
import type { ItemNumbers } from './itemNumbers.ts';
import type { Edit } from './playlist.edits.ts';

/**
 * Draws and sends an edit. Returns the answer, or undefined after a failure, which the user has been told.
 *
 * @param topics whose announcements are echoes of this edit
 */
export type RunEdit = <R>(edit: Edit<R>, topics?: readonly Topic[]) => Promise<R | undefined>;

type ItemEdit = { duration_sec: number } | { zone_id: string | null } | { transition: Transition | null } | Valid;

/** Edits of single items. */
export const itemActions = (id: string, run: RunEdit, { numberOf }: Pick<ItemNumbers, 'numberOf'>) => {
  const edit = (item: PlaylistItem, change: ItemEdit) =>
    run({
      apply: (p) => changed(p, item.id, change),
      send: (ifMatch) =>
        client.request(updateItem, { params: { id, itemId: numberOf(item.id) }, body: change, ifMatch }),
    });
  return {
    setMuted: (item: PlaylistItem, muted: boolean) =>
      run({
        apply: (p) => changed(p, item.id, { muted }),
        send: (ifMatch) =>
          client.request(updateAssignment, { params: { id: numberOf(item.id) }, body: { muted }, ifMatch }),
      }),
    setSchedules: (item: PlaylistItem, schedules: PlaylistItem['schedules']) =>
      run({
        apply: (p) => changed(p, item.id, { schedules }),
        send: (ifMatch) =>
          client.request(replaceItemSchedules, {
            params: { id, itemId: numberOf(item.id) },
            body: { blocks: schedules },
            ifMatch,
          }),
      }),
    setValid: (item: PlaylistItem, valid: Valid) => edit(item, valid),
    setDuration: (item: PlaylistItem, duration_sec: number) => edit(item, { duration_sec }),
    setTransition: (item: PlaylistItem, transition: Transition | null) => edit(item, { transition }),
    setZone: (item: PlaylistItem, zone_id: string | null) => edit(item, { zone_id }),
  };
};
