/**
 * User accounts for tests. Each request of these users comes from a different address, so that limits per address do
 * not apply.
 */
import { randomInt } from 'node:crypto';
import type { Site } from './harness.ts';

/** The parts of a server that these helpers use: its origin, and a function that sends requests. */
export type Server = Pick<Site, 'origin' | 'call'>;

export const PASSWORD = 'correct horse';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  readonly workspaceId: string | null;
}

export type Answer = Awaited<ReturnType<Site['call']>>;
export type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

/** Returns a header with a client address that no other request has. */
export const fromAnywhere = (): Record<string, string> => ({
  'X-Forwarded-For': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`,
});

export const callAs =
  (site: Server, token: string | undefined): Call =>
  (method, path, body, headers) =>
    site.call(method, path, { token, body, headers: { ...fromAnywhere(), ...headers } });

export const must = (answer: Answer, status = 200): any => {
  if (answer.status !== status)
    throw new Error(`answered ${answer.status} instead of ${status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

/** Returns a function that sends a user's request, expects `status`, and returns the body of the answer. */
export const mustCallAs =
  (site: Pick<Server, 'call'>, token: string) =>
  async (method: string, path: string, body?: unknown, status = 200): Promise<any> =>
    must(await site.call(method, path, { token, body }), status);

export const register = (site: Server, body: Record<string, unknown>): Promise<Answer> =>
  site.call('POST', '/api/auth/register', { body, headers: fromAnywhere() });
export const login = (site: Server, email: string, password = PASSWORD): Promise<Answer> =>
  site.call('POST', '/api/auth/login', { body: { email, password }, headers: fromAnywhere() });

/** Registers a user. The first user of a site is the platform's administrator. */
export const person = async (
  site: Server,
  email: string,
  more: { name?: string; createOrg?: boolean } = {},
): Promise<Person> => {
  const body = must(await register(site, { email, password: PASSWORD, ...more }), 201);
  return { id: body.user.id, email, token: body.token, workspaceId: body.current_workspace_id };
};

/** Registers a user without creating a workspace, and adds the user to an existing one. */
export const colleague = async (
  site: Server,
  host: Person,
  email: string,
  role: 'workspace_viewer' | 'workspace_editor' | 'workspace_admin',
): Promise<Person> => {
  const one = await person(site, email, { createOrg: false });
  const invite = must(
    await site.call('POST', `/api/workspaces/${host.workspaceId}/invites`, {
      token: host.token,
      body: { email, role },
    }),
    201,
  );
  must(await site.call('POST', `/api/auth/accept-invite/${invite.id}`, { token: one.token }));
  return { ...one, workspaceId: host.workspaceId };
};
