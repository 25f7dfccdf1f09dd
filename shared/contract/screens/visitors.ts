/**
 * Rights of visitors in a store. A visitor is a person of headquarters who works in the store through its connection to
 * headquarters, with the role that the store gives. Only this table decides about visitors. The API checks it before
 * every handler (server/features/rights). Everything that would still give access after the visit is refused.
 */
import type { Act } from '../acts.ts';
import type { Asked, Endpoint } from '../endpoint.ts';

/**
 * Rule for each kind of act: true, or the sentence of the refusal. A new kind of act without an entry does not compile.
 */
const VISITORS: Readonly<Record<Act['on'], true | string>> = {
  alert: true,
  bin: true,
  content: true,
  emptied: true,
  everything: true,
  folder: true,
  group: true,
  item: true,
  kiosk: true,
  layout: true,
  membership: true,
  message: true,
  new: true,
  newFolder: true,
  panel: true,
  place: true,
  plan: true,
  playlist: true,
  request: true,
  schedule: true,
  screen: true,
  screens: true,
  shown: true,
  slot: true,
  tag: true,
  tagged: true,
  tags: true,
  wall: true,
  widget: true,
  accounts:
    'Visitors from headquarters cannot see or change accounts and passwords here. Your own account is at headquarters; change it there.',
  invites:
    'Visitors from headquarters cannot see, send or delete invitations here, because an account that accepts one would outlive their visit.',
  members:
    'Visitors from headquarters cannot change members, roles or the approval rule here. A workspace administrator of the store can.',
  tokens:
    'Visitors from headquarters cannot see, create or revoke tokens here, because a token would outlive their visit.',
  chain:
    'Visitors from headquarters cannot change the connection to headquarters or what headquarters may do here. A workspace administrator of the store can.',
  workspaces:
    'Visitors from headquarters cannot create, rename or delete organizations and workspaces here. An organization administrator of the store can.',
};

const UNDECLARED = 'Visitors from headquarters cannot do this here. Ask somebody in the store whose account may do it.';

/** Returns the refusal for all acts of a kind as a sentence; undefined if visitors may perform acts of this kind. */
export const refusalOfKind = (kind: Act['on']): string | undefined => {
  const may = VISITORS[kind];
  return may === true ? undefined : may;
};

/**
 * Returns the refusal of a visitor's request as a sentence; undefined if visitors may send the request. Requests that
 * read with the scope of a token are open to visitors. Every other endpoint that does not declare its acts is refused.
 */
export const refusalForVisitors = (
  { access, acts }: Pick<Endpoint, 'access' | 'acts'>,
  asked: Asked,
): string | undefined => {
  if (access.kind === 'token' && access.scope === 'read') return undefined;
  if (!acts || access.kind === 'device' || access.kind === 'public') return UNDECLARED;
  for (const { on } of acts(asked)) {
    const may = Object.hasOwn(VISITORS, on) ? VISITORS[on] : UNDECLARED;
    if (may !== true) return may;
  }
  return undefined;
};
