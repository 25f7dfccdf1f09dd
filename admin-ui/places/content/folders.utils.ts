import type { Folder } from '../../../shared/contract/folders.ts';

export type FolderNode = { readonly folder: Folder; readonly children: readonly FolderNode[] };

/** As a tree, each level by name. A folder whose parent is not there stands at the root. */
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

/** From the root down to it, itself last; empty for one that does not exist. */
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

/** In the order of the tree, with how deep each is: for lists to choose from. */
export const flatten = (
  nodes: readonly FolderNode[],
  depth = 0,
): { readonly folder: Folder; readonly depth: number }[] =>
  nodes.flatMap(({ folder, children }) => [{ folder, depth }, ...flatten(children, depth + 1)]);

/** Whether `id` is `ancestor` or lies in it. */
export const isWithin = (folders: readonly Folder[], id: string, ancestor: string): boolean =>
  pathTo(folders, id).some((f) => f.id === ancestor);
