import { createClient } from '../../../shared/contract/client.ts';
import { logout, switchWorkspace } from '../../../shared/contract/people/auth.ts';
import { removals } from '../editing/useRemovals.ts';
import { client } from '../requests/client.ts';
import { session } from './session.ts';

/**
 * Switches to another workspace with a new session, which every tab of this browser takes over (App.tsx removes the
 * data of the old workspace). Pending deletions are completed first, while the session still belongs to the old
 * workspace.
 */
export const goToWorkspace = async (id: string): Promise<void> => {
  removals.commitAll();
  const before = session.token();
  const { token } = await client.call(switchWorkspace, { body: { workspace_id: id } });
  session.begin(token);
  if (before === null) return;
  // Ends the old session, which would otherwise stay valid for a week.
  await createClient({ origin: '', token: () => before })
    .call(logout)
    .catch(() => undefined);
};
