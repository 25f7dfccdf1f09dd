import type { Folder } from '../../../../shared/contract/content/folders.ts';
import type { Rights } from '../../../../shared/contract/people/rights.ts';

export type FolderNode = { readonly folder: Folder; readonly children: readonly FolderNode[] };

/** The folders as a tree, each level sorted by name. A folder with an unknown parent is at the root. */
export const treeOf = (folders: readonly Folder[], locale: string): readonly FolderNode[] => {
  const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  const known = new Set(folders.map((f) => f.id));
  const beneath = (parent: string | null): FolderNode[] =>
    folders
      .filter((f) => (f.parent_id !== null && known.has(f.parent_id) ? f.parent_id : null) === parent)
      .toSorted((a, b) => collator.compare(a.name, b.name))
      .map((folder) => ({ folder, children: beneath(folder.id) }));
  return beneath(null);
};

/** The path from the root to a folder, included; empty for an unknown folder. */
export const pathTo = (folders: readonly Folder[], id: string | undefined): readonly Folder[] => {
  const path: Folder[] = [];
  for (
    let at = folders.find((f) => f.id === id);
    at && !path.includes(at);
    at = folders.find((f) => f.id === at?.parent_id)
  )
    path.unshift(at);
  return path;
};

/** The tree in order, with the depth of each folder, for lists. */
export const flatten = (
  nodes: readonly FolderNode[],
  depth = 0,
): { readonly folder: Folder; readonly depth: number }[] =>
  nodes.flatMap(({ folder, children }) => [{ folder, depth }, ...flatten(children, depth + 1)]);

/** Whether `id` is `ancestor` or inside it. */
export const isWithin = (folders: readonly Folder[], id: string, ancestor: string): boolean =>
  pathTo(folders, id).some((f) => f.id === ancestor);

/** The parts of the library that a user may change. */
export interface Reach {
  /** Whether content may be added to this folder and changed in it; null: outside of all folders. */
  readonly has: (folderId: string | null) => boolean;
  /** Whether the folder itself may be renamed, moved and deleted. */
  readonly owns: (folder: Folder) => boolean;
  /** Default folder of new content; null: outside of all folders, undefined: content cannot be added anywhere. */
  readonly home: string | null | undefined;
  /** Names of the permitted folders; undefined for all. */
  readonly names: readonly string[] | undefined;
}

/** @param isWriter false for a user who may only view */
export const reachOf = (
  { duty, folder_ids }: Pick<Rights, 'duty' | 'folder_ids'>,
  isWriter: boolean,
  folders: readonly Folder[],
): Reach => {
  const granted = folder_ids?.flatMap((id) => folders.find((folder) => folder.id === id) ?? []);
  const within = new Set(folders.map(({ id }) => id).filter((id) => granted?.some((g) => isWithin(folders, id, g.id))));
  const has = (id: string | null) => isWriter && (granted === undefined || (id !== null && within.has(id)));
  return {
    has,
    owns: ({ id, parent_id }) => duty === 'all' && has(granted === undefined ? id : parent_id),
    home: isWriter ? (granted === undefined ? null : granted[0]?.id) : undefined,
    names: isWriter ? granted?.map(({ name }) => name) : undefined,
  };
};
