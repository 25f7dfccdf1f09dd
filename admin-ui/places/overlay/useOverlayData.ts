import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { clearOverlay, showOverlay } from '../../../shared/contract/overlays.ts';
import { client } from '../../data/client.ts';
import { groupsQuery } from '../../data/groups.ts';
import { useCanWrite } from '../../data/me.ts';
import { screensQuery } from '../../data/screens.ts';
import { useProblem } from '../../data/useProblem.ts';
import { type Arrival, arrived, bodyOf, type Composed } from './overlay.utils.ts';

/** The screens and groups there are, and what became of what was sent. */
export const useOverlayData = () => {
  const tell = useProblem();
  const canWrite = useCanWrite();
  const screens = useQuery(screensQuery);
  const groups = useQuery(groupsQuery);
  const [arrivals, setArrivals] = useState<readonly Arrival[]>([]);
  const [busy, setBusy] = useState(false);
  const groupList = groups.data ?? [];
  const screenList = screens.data ?? [];
  const isGroup = (id: string) => groupList.some((group) => group.id === id);
  const nameOf = (id: string) =>
    groupList.find((group) => group.id === id)?.name ?? screenList.find((screen) => screen.id === id)?.name ?? '';

  const run = async (
    ids: readonly string[],
    ask: (id: string) => Promise<{ results: Parameters<typeof arrived>[2]; pip_id?: string }>,
  ) => {
    const one = async (id: string) => {
      try {
        const { results, pip_id } = await ask(id);
        setArrivals((now) => arrived(now, id, results, pip_id));
      } catch (error) {
        setArrivals((now) => now.map((row) => (row.id === id ? { ...row, status: 'failed' } : row)));
        tell(error);
      }
    };
    setBusy(true);
    // Of a screen and its group the screen is the more particular: the newest wins, so it comes last.
    await Promise.all(ids.filter(isGroup).map(one));
    await Promise.all(ids.filter((id) => !isGroup(id)).map(one));
    setBusy(false);
  };

  return {
    canWrite,
    screens,
    screenList,
    groupList,
    arrivals,
    busy,
    send: (overlay: Composed, ids: readonly string[]) => {
      setArrivals(ids.map((id) => ({ id, name: nameOf(id), status: 'waiting' })));
      return run(ids, (id) => client.call(showOverlay, { body: bodyOf(overlay, id) }));
    },
    /** Of a row only what it stands for is cleared: not what another system has put there since. */
    clear: (rows: readonly Arrival[]) => {
      const ids = new Set(rows.map(({ id }) => id));
      setArrivals((now) => now.map((row) => (ids.has(row.id) ? { ...row, status: 'waiting' } : row)));
      const pip = new Map(rows.map(({ id, pipId }) => [id, pipId]));
      return run([...ids], (id) =>
        client
          .call(clearOverlay, { body: { device_id: id, ...(pip.get(id) && { pip_id: pip.get(id) }) } })
          .then(cleared),
      );
    },
    clearWhatever: (ids: readonly string[]) => {
      setArrivals(ids.map((id) => ({ id, name: nameOf(id), status: 'waiting' })));
      return run(ids, (id) => client.call(clearOverlay, { body: { device_id: id } }).then(cleared));
    },
  };
};
export type OverlayData = ReturnType<typeof useOverlayData>;

/** A clear that the socket took needs no answer. */
const cleared = (answer: { results: Parameters<typeof arrived>[2] }) => ({
  results: answer.results.map((row) =>
    row.status === 'sent' || row.status === 'shown' ? { ...row, status: 'cleared' as const } : row,
  ),
});
