import { queryOptions } from '@tanstack/react-query';
import {
  getMessage,
  listMessageScreens,
  listMessages,
  type MessageState,
} from '../../shared/contract/screens/messages.ts';
import { queryOf } from './requests/query.ts';

/** Number of past messages in the list. */
const RECENT = 20;

/** Query for the newest messages, including messages that screens show now. */
export const messagesQuery = queryOf(['messages', 'list'], listMessages, { query: { limit: String(RECENT) } });
export const messagesInForceQuery = queryOf(['messages', 'in-force'], listMessages, {
  query: { in_force: 'true', limit: '100' },
});
/** Query for the alarms that a screen shows now or may still show. */
export const alarmsQuery = queryOptions({
  ...messagesInForceQuery,
  select: (messages) => messages.filter(({ template }) => template === 'alarm'),
});
export const messageQuery = (id: string) => queryOf(['messages', 'one', id], getMessage, { params: { id } });
export const messageScreensQuery = (id: string, status: MessageState) =>
  queryOf(['messages', 'screens', id, status], listMessageScreens, { params: { id }, query: { status, limit: '50' } });
