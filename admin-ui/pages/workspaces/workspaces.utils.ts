import type { AccessibleWorkspace } from '../../../shared/contract/people/auth.ts';

export type Organization = { id: string; name: string; workspaces: AccessibleWorkspace[] };

/** Groups workspaces by organization, in the server's order. */
export const byOrganization = (workspaces: readonly AccessibleWorkspace[]): Organization[] => {
  const found = new Map<string, Organization>();
  for (const workspace of workspaces) {
    const { organization_id: id, organization_name: name } = workspace;
    const organization = found.get(id) ?? { id, name, workspaces: [] };
    found.set(id, organization);
    organization.workspaces.push(workspace);
  }
  return [...found.values()];
};
