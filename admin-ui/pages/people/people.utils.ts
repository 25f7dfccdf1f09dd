import type { Folder } from '../../../shared/contract/content/folders.ts';
import type { Rights } from '../../../shared/contract/people/rights.ts';
import type { WorkspaceRole } from '../../../shared/contract/people/users.ts';

export type Role = (typeof WorkspaceRole)['options'][number];
export const roles = ['workspace_viewer', 'workspace_editor', 'workspace_admin'] as const satisfies readonly Role[];

/** Returns the link of an invite, the same as in the invite mail (server/compose/accounts/workspaces.ts). */
export const inviteLink = (origin: string, id: string): string => `${origin}/#/invite/${id}`;

/**
 * Returns the link with which a user sets a new password. The token is behind the #, so that no server or proxy logs
 * it.
 */
export const passwordLink = (origin: string, token: string): string => `${origin}/#/new-password/${token}`;

const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

/**
 * Returns a password that can be read out on the telephone: three groups of four characters, without characters that
 * look or sound alike. 59 bits, valid for one sign-in.
 */
export const passwordToTell = (random: Uint8Array): string =>
  Array.from(random.slice(0, 12), (byte) => LETTERS[byte % LETTERS.length]!)
    .join('')
    .replace(/(.{4})(?=.)/g, '$1-');

/** A row of a list with checkboxes. */
export type Row = { readonly id: string; readonly name: string };

/** Returns the folders with their paths as names ("Bread / Rolls"), sorted by path. */
export const pathsOf = (folders: readonly Folder[]): Row[] => {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const pathOf = (folder: Folder, seen = new Set<string>()): string => {
    const parent = folder.parent_id === null || seen.has(folder.id) ? undefined : byId.get(folder.parent_id);
    return parent ? `${pathOf(parent, seen.add(folder.id))} / ${folder.name}` : folder.name;
  };
  return folders
    .map((folder) => ({ id: folder.id, name: pathOf(folder) }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
};

/** A limit of an editor's rights, or the duty to approve, in words. An editor without limits has none. */
export type RightsWord =
  | { readonly say: 'upload' | 'noFolders' | 'noGroups' | 'noRegions' | 'approves' }
  | { readonly say: 'folders' | 'groups' | 'regions'; readonly names: readonly string[]; readonly more: number };

const NAMED = 3;
const some = (
  say: 'folders' | 'groups' | 'regions',
  none: 'noFolders' | 'noGroups' | 'noRegions',
  ids: string[] | null,
  rows: readonly Row[],
) => {
  if (ids === null) return [];
  const names = rows.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  if (names.length === 0) return [{ say: none }];
  return [{ say, names: names.slice(0, NAMED), more: Math.max(0, names.length - NAMED) }];
};
export const rightsInWords = (
  { role, duty, folder_ids, group_ids, approves, regions }: Rights & { readonly role: Role },
  { folders, groups }: { readonly folders: readonly Row[]; readonly groups: readonly Row[] },
): RightsWord[] => [
  ...some(
    'regions',
    'noRegions',
    regions?.map(({ region }) => region) ?? null,
    (regions ?? []).map(({ region }) => ({ id: region, name: region })),
  ),
  ...(role === 'workspace_editor' ? editorsWords({ duty, folder_ids, group_ids, approves }, { folders, groups }) : []),
];

const editorsWords = (
  { duty, folder_ids, group_ids, approves }: Pick<Rights, 'duty' | 'folder_ids' | 'group_ids' | 'approves'>,
  { folders, groups }: { readonly folders: readonly Row[]; readonly groups: readonly Row[] },
): RightsWord[] => [
  ...(duty === 'upload' ? [{ say: 'upload' } as const] : []),
  ...some('folders', 'noFolders', folder_ids, folders),
  ...(duty === 'upload' ? [] : some('groups', 'noGroups', group_ids, groups)),
  ...(approves && duty === 'all' ? [{ say: 'approves' } as const] : []),
];
