import { logout, switchWorkspace } from '../../shared/contract/auth.ts';
import { createClient } from '../../shared/contract/client.ts';
import { client } from './client.ts';
import { session } from './session.ts';
import { removals } from './useRemovals.ts';

/**
 * Goes to another workspace: a new session, which every tab of this browser takes over (App.tsx forgets what they knew
 * of the old one). What is being deleted is deleted before, while the session is still of its workspace.
 */
export const goToWorkspace = async (id: string): Promise<void> => {
  removals.commitAll();
  const before = session.token();
  const { token } = await client.call(switchWorkspace, { body: { workspace_id: id } });
  session.begin(token);
  if (before === null) return;
  // Ends the old session, which would live on unused for a week.
  await createClient({ origin: '', token: () => before })
    .call(logout)
    .catch(() => undefined);
};
