import { logout, switchWorkspace } from '../../shared/contract/auth.ts';
import { createClient } from '../../shared/contract/client.ts';
import { client } from './client.ts';
import { session } from './session.ts';
import { removals } from './useRemovals.ts';

/**
 * Switches to another workspace with a new session, which every tab of this browser uses then (App.tsx removes the old
 * workspace's data). Pending deletions are carried out before, while the session still belongs to the old workspace.
 */
export const goToWorkspace = async (id: string): Promise<void> => {
  removals.commitAll();
  const before = session.token();
  const { token } = await client.call(switchWorkspace, { body: { workspace_id: id } });
  session.begin(token);
  if (before === null) return;
  // Ends the old session, which would stay valid for a week.
  await createClient({ origin: '', token: () => before })
    .call(logout)
    .catch(() => undefined);
};
