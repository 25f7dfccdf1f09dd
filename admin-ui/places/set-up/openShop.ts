import { register } from '../../../shared/contract/auth.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { updateServerSettings } from '../../../shared/contract/server.ts';
import { updateWorkspace } from '../../../shared/contract/workspaces.ts';
import { client } from '../../data/client.ts';
import { session } from '../../data/session.ts';

type Shop = { store: string; name: string; email: string; password: string; registration: 'open' | 'closed'; setupCode: string };

/**
 * Registers the first user, then closes the door and names server and organization. When only the second part fails the person is in
 * all the same, since registering cannot be repeated.
 */
export const openShop = async ({ store, name, email, password, registration, setupCode }: Shop): Promise<{ settingsSaved: boolean }> => {
  const answer = await client.call(register, { body: { email, password, name, ...(setupCode && { setup_code: setupCode }) } });
  if (!('token' in answer)) throw new ApiError(409, 'This server has an owner already');
  session.begin(answer.token);
  try {
    await client.call(updateServerSettings, { body: { name: store, registration } });
    if (answer.current_workspace_id) await client.call(updateWorkspace, { params: { id: answer.current_workspace_id }, body: { organization_name: store } });
    return { settingsSaved: true };
  } catch {
    return { settingsSaved: false };
  }
};
