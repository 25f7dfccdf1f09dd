import {
  addItem,
  assignPlaylist,
  createPlaylist,
  deletePlaylist,
  discardPlaylist,
  duplicatePlaylist,
  getPlaylist,
  getPlaylistVersion,
  listItemSchedules,
  listItems,
  listPlaylistDevices,
  listPlaylists,
  listPlaylistVersions,
  listPublishedItems,
  publishPlaylist,
  removeItem,
  reorderItems,
  replaceItemSchedules,
  returnToPlaylistVersion,
  updateItem,
  updatePlaylist,
} from '../../../shared/contract/content/playlists.ts';
import { success } from '../../../shared/contract/fields.ts';
import { type Bound, bind, Reply, withReady, withTag } from '../../http/api.ts';
import type { ResponseCache } from '../../http/response-cache.ts';
import type { PlaylistsService } from './playlists.service.ts';

/**
 * Topics of changes after which cached items are outdated: playlists, and the records that are joined to their items.
 */
const OF_ITEMS = ['playlists', 'content', 'widgets', 'layouts'] as const;

export const playlistRoutes = (service: PlaylistsService, cache: ResponseCache): Bound[] => [
  bind(listPlaylists, ({ actor, query }) => service.list(actor, query)),
  bind(createPlaylist, ({ actor, body }) => withTag(service.create(actor, body))),
  bind(duplicatePlaylist, ({ actor, params, body }) => withTag(service.duplicate(actor, params.id, body))),
  bind(getPlaylist, ({ actor, params }) => {
    const plain = service.plain(actor, params.id);
    const items = cache.get(actor.workspaceId, `items of ${params.id}`, OF_ITEMS, () => ({
      body: service.items(actor, params.id).record,
    }));
    return withReady(plain, 'items', items);
  }),
  bind(updatePlaylist, ({ actor, params, body, ifMatch }) => withTag(service.update(actor, params.id, body, ifMatch))),
  bind(deletePlaylist, ({ actor, params, ifMatch }) => {
    service.delete(actor, params.id, ifMatch);
    return success;
  }),
  bind(publishPlaylist, ({ actor, params, ifMatch }) => withTag(service.publish(actor, params.id, ifMatch))),
  bind(discardPlaylist, ({ actor, params, ifMatch }) => withTag(service.discard(actor, params.id, ifMatch))),
  bind(listPlaylistVersions, ({ actor, params }) => service.versions(actor, params.id)),
  bind(getPlaylistVersion, ({ actor, params }) => service.version(actor, params.id, params.version)),
  bind(returnToPlaylistVersion, ({ actor, params, ifMatch }) =>
    withTag(service.returnTo(actor, params.id, params.version, ifMatch)),
  ),
  bind(listItems, ({ actor, params }) => withTag(service.items(actor, params.id))),
  bind(addItem, ({ actor, params, body, ifMatch }) => withTag(service.addItem(actor, params.id, body, ifMatch))),
  bind(reorderItems, ({ actor, params, body, ifMatch }) =>
    withTag(service.reorder(actor, params.id, body.order, ifMatch)),
  ),
  bind(updateItem, ({ actor, params, body, ifMatch }) =>
    withTag(service.updateItem(actor, params.id, params.itemId, body, ifMatch)),
  ),
  bind(removeItem, ({ actor, params, ifMatch }) => {
    const { revision } = service.removeItem(actor, params.id, params.itemId, ifMatch);
    return new Reply(success, { etag: revision });
  }),
  bind(listItemSchedules, ({ actor, params }) => service.schedulesOf(actor, params.id, params.itemId)),
  bind(replaceItemSchedules, ({ actor, params, body, ifMatch }) =>
    withTag(service.replaceSchedules(actor, params.id, params.itemId, body.blocks, ifMatch)),
  ),
  bind(listPublishedItems, ({ actor, params }) => service.published(actor, params.id)),
  bind(listPlaylistDevices, ({ actor, params }) => service.devices(actor, params.id)),
  bind(
    assignPlaylist,
    ({ actor, params, body, ifMatch }) =>
      new Reply(success, { etag: service.assign(actor, params.id, body.device_id, ifMatch) }),
  ),
];
