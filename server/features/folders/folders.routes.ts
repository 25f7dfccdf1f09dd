import { success } from '../../../shared/contract/fields.ts';
import { createFolder, deleteFolder, listFolders, updateFolder } from '../../../shared/contract/folders.ts';
import { type Bound, bind } from '../../http/api.ts';
import type { FoldersService } from './folders.service.ts';

export const folderRoutes = (service: FoldersService): Bound[] => [
  bind(listFolders, ({ actor }) => service.list(actor)),
  bind(createFolder, ({ actor, body }) => service.create(actor, body)),
  bind(updateFolder, ({ actor, params, body }) => service.update(actor, params.id, body)),
  bind(deleteFolder, ({ actor, params }) => {
    service.delete(actor, params.id);
    return success;
  }),
];
