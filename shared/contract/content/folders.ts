/** Folder tree of the media library (resource API, Folders). */
import { z } from 'zod';
import { nothing, on } from '../acts.ts';
import { endpointsOf, read, write } from '../endpoint.ts';
import { Epoch, nameOf } from '../fields.ts';

const endpoint = endpointsOf('Folders');

export const Folder = z.object({
  id: z.string(),
  name: z.string(),
  /** Parent folder; null: the root. */
  parent_id: z.string().nullable(),
  workspace_id: z.string().nullable(),
  created_at: Epoch,
});
export type Folder = z.infer<typeof Folder>;

const FolderName = nameOf(100);
/** Reference to a folder. Null, "" or "root" stands for the root. */
export const FolderRef = z.union([z.string(), z.null()]).transform((v) => (v === 'root' ? null : v || null));

export const NewFolder = z.object({ name: FolderName, parent_id: FolderRef.optional() });
export type NewFolder = z.infer<typeof NewFolder>;

export const FolderChange = NewFolder.partial();
export type FolderChange = z.infer<typeof FolderChange>;

export const listFolders = endpoint('GET /api/folders', {
  name: 'listFolders',
  summary: 'All folders of the workspace, oldest first',
  access: read,
  response: z.array(Folder),
  etag: 'cached',
});
export const createFolder = endpoint('POST /api/folders', {
  name: 'createFolder',
  summary: 'Make a folder',
  description: 'At most 1,000 in a workspace; beyond that 400.',
  access: write,
  acts: ({ body }) => [{ on: 'newFolder', id: body.parent_id ?? null }],
  shows: nothing,
  body: NewFolder,
  status: 201,
  response: Folder,
  errors: [404],
});
export const updateFolder = endpoint('PUT /api/folders/{id}', {
  name: 'updateFolder',
  summary: 'Rename or move a folder',
  description: '400 when a folder would be moved into itself or into one of its subfolders.',
  access: write,
  acts: ({ params, body }) => [
    on('folder', params.id),
    ...(body.parent_id === undefined ? [] : [{ on: 'newFolder', id: body.parent_id } as const]),
  ],
  shows: nothing,
  body: FolderChange,
  response: Folder,
});
export const deleteFolder = endpoint('DELETE /api/folders/{id}', {
  name: 'deleteFolder',
  summary: 'Delete a folder and those beneath it; their content moves to the root',
  access: write,
  acts: ({ params }) => [on('folder', params.id), on('emptied', params.id)],
  shows: nothing,
});
