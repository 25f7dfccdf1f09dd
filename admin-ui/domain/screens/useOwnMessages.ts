import type { Message } from '../../../shared/contract/screens/messages.ts';
import { useOwnGroups } from '../../api/session/me.ts';
import { useHindrances } from '../../api/session/rights.ts';

/**
 * Returns a function that says whether the user may act on all screens of a message. For a message to a tag, the server
 * decides.
 */
export const useOwnMessages = (messages: readonly Message[]) => {
  const groups = useOwnGroups();
  const targets = messages.flatMap((message) => message.targets);
  const screens = new Set(targets.filter(({ kind }) => kind === 'device').map(({ id }) => id));
  const hindrances = useHindrances('screen', groups === null ? [] : [...screens]);
  const others = new Set(hindrances?.map(({ id }) => id));
  const isOwn = ({ kind, id }: Message['targets'][number]) =>
    kind === 'group' ? groups?.includes(id) : kind === 'tag' || (kind === 'device' && !others.has(id));
  return (message: Message): boolean => groups === null || (hindrances !== undefined && message.targets.every(isOwn));
};
