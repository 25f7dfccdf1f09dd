import { createFolder, deleteFolder, listFolders, updateFolder } from '../../../shared/contract/content/folders.ts';
import { success } from '../../../shared/contract/fields.ts';
import { type Bound, bind } from '../../http/api.ts';
import type { ResponseCache } from '../../http/response-cache.ts';
import type { FoldersService } from './folders.service.ts';

export const folderRoutes = (service: FoldersService, cache: ResponseCache): Bound[] => [
  bind(listFolders, ({ actor }) =>
    cache.get(actor.workspaceId, 'folders', ['folders'], () => {
      const folders = service.list(actor);
      return { body: folders, total: folders.length };
    }),
  ),
  bind(createFolder, ({ actor, body }) => service.create(actor, body)),
  bind(updateFolder, ({ actor, params, body }) => service.update(actor, params.id, body)),
  bind(deleteFolder, ({ actor, params }) => {
    service.delete(actor, params.id);
    return success;
  }),
];
