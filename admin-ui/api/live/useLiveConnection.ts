import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { LiveServerMessage, Topic } from '../../../shared/protocol/live.ts';
import { ownEdits } from '../editing/ownEdits.ts';
import { sessionEnded } from '../requests/client.ts';
import { queryClient } from '../requests/queryClient.ts';
import { rootsOf } from '../requests/topics.ts';
import { meQuery } from '../session/me.ts';
import { livePath, openedStore } from '../session/storeWindow.ts';
import { LiveSocket } from './socket.ts';
import { liveStore } from './store.ts';

type Handlers = { [K in LiveServerMessage['type']]: (message: Extract<LiveServerMessage, { type: K }>) => void };

/**
 * Milliseconds for which announcements are collected, so that forty screens that return at once cause only one
 * fetch.
 */
const GATHER_MS = 120;

/**
 * Called when the server refuses the live connection: the session has ended, or the user may no longer access the
 * workspace. The next request for the user shows which of the two is true.
 */
const refused = (): void => {
  if (openedStore !== undefined) return sessionEnded();
  // If this request gets no answer, the socket reconnects, and the next refusal repeats the request.
  void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
};

/** Keeps the page up to date while a user is signed in to a workspace. */
export const useLiveConnection = (token: string | null, workspace: string | null): void => {
  const queries = useQueryClient();
  useEffect(() => {
    if (token === null || workspace === null) return;
    let wasLost = false;
    const due = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stale = (topic: Topic) => {
      for (const root of rootsOf(topic)) due.add(root);
      timer ??= setTimeout(() => {
        const roots = new Set(due);
        due.clear();
        timer = undefined;
        void queries.invalidateQueries({ predicate: (q) => roots.has(String(q.queryKey[0])) });
      }, GATHER_MS);
    };
    const handlers: Handlers = {
      ready: () => {
        // Fetches all data again, since any record may have changed while the connection was lost.
        if (wasLost) {
          liveStore.forget();
          void queries.invalidateQueries();
        }
        wasLost = false;
      },
      pong: () => undefined,
      stale: (m) => {
        if (ownEdits.isEcho(m)) void queries.invalidateQueries({ queryKey: [m.topic], refetchType: 'none' });
        else stale(m.topic);
      },
      device: ({ type: _, ...patch }) => liveStore.patch([patch]),
      devices: ({ patches }) => liveStore.patch(patches),
      pending: () => stale('pending'),
    };
    const socket = new LiveSocket({
      url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${livePath}`,
      token,
      onMessage: (message) => (handlers[message.type] as (m: LiveServerMessage) => void)(message),
      onConnection: (connection) => {
        if (connection === 'lost') wasLost = true;
        liveStore.setConnection(connection);
      },
      onRefused: refused,
    });
    socket.start();
    return () => {
      clearTimeout(timer);
      socket.stop();
      liveStore.setConnection('connecting');
      liveStore.forget();
    };
  }, [token, workspace, queries]);
};
