import type { Folder } from '../../../../shared/contract/content/folders.ts';
import type { Rights } from '../../../../shared/contract/people/rights.ts';

export type FolderNode = { readonly folder: Folder; readonly children: readonly FolderNode[] };

/** Returns the folders as a tree; each level is sorted by name. A folder with an unknown parent is at the root. */
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

/** Returns the folders from the root to a folder, including it; empty for an unknown folder. */
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

/** Returns the folders in the order of the tree, each with its depth, for lists. */
export const flatten = (
  nodes: readonly FolderNode[],
  depth = 0,
): { readonly folder: Folder; readonly depth: number }[] =>
  nodes.flatMap(({ folder, children }) => [{ folder, depth }, ...flatten(children, depth + 1)]);

/** Returns whether folder `id` is `ancestor` or is inside it. */
export const isWithin = (folders: readonly Folder[], id: string, ancestor: string): boolean =>
  pathTo(folders, id).some((f) => f.id === ancestor);

/** The parts of the library that a user may change. */
export interface Reach {
  /** Returns whether content may be added to and changed in a folder; null means content without a folder. */
  readonly has: (folderId: string | null) => boolean;
  /** Returns whether the user may rename, move and delete the folder itself. */
  readonly owns: (folder: Folder) => boolean;
  /** Default folder of new content. Null: no folder. Undefined: the user cannot add content anywhere. */
  readonly home: string | null | undefined;
  /** Names of the permitted folders; undefined if all folders are permitted. */
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
