import { useState } from 'react';
import { clearOverlay, showOverlay } from '../../../shared/contract/screens/overlays.ts';
import type { ChosenTarget } from '../../api/editing/composer.ts';
import { client } from '../../api/requests/client.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { type Arrival, arrived, bodyOf, type Composed } from './overlay.utils.ts';

/** Hook that sends overlays and collects their results. */
export const useOverlayData = () => {
  const tell = useProblem();
  const [arrivals, setArrivals] = useState<readonly Arrival[]>([]);
  const [busy, setBusy] = useState(false);

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
    await Promise.all(ids.map(one));
  };
  const wait = (targets: readonly ChosenTarget[]) =>
    setArrivals(targets.map(({ id, name }) => ({ id, name, status: 'waiting' })));
  const working = async (work: () => Promise<void>) => {
    setBusy(true);
    await work();
    setBusy(false);
  };

  return {
    arrivals,
    busy,
    send: (overlay: Composed, targets: readonly ChosenTarget[]) =>
      working(async () => {
        wait(targets);
        const show = (id: string) => client.call(showOverlay, { body: bodyOf(overlay, id) });
        // The newest overlay wins. Overlays for single screens are sent last, since a screen is more specific than its
        // group.
        await run(idsOf(targets, 'group'), show);
        await run(idsOf(targets, 'device'), show);
      }),
    /** Clears only the overlays of these rows, not an overlay that another system has sent since. */
    clear: (rows: readonly Arrival[]) =>
      working(async () => {
        const ids = new Set(rows.map(({ id }) => id));
        setArrivals((now) => now.map((row) => (ids.has(row.id) ? { ...row, status: 'waiting' } : row)));
        const pip = new Map(rows.map(({ id, pipId }) => [id, pipId]));
        await run([...ids], (id) =>
          client
            .call(clearOverlay, { body: { device_id: id, ...(pip.get(id) && { pip_id: pip.get(id) }) } })
            .then(cleared),
        );
      }),
    clearWhatever: (targets: readonly ChosenTarget[]) =>
      working(async () => {
        wait(targets);
        await run(
          targets.map(({ id }) => id),
          (id) => client.call(clearOverlay, { body: { device_id: id } }).then(cleared),
        );
      }),
  };
};
export type OverlayData = ReturnType<typeof useOverlayData>;

const idsOf = (targets: readonly ChosenTarget[], of: ChosenTarget['kind']): string[] =>
  targets.filter(({ kind }) => kind === of).map(({ id }) => id);

/** Counts a clear command as done once it was sent, without waiting for an acknowledgement. */
const cleared = (answer: { results: Parameters<typeof arrived>[2] }) => ({
  results: answer.results.map((row) =>
    row.status === 'sent' || row.status === 'shown' ? { ...row, status: 'cleared' as const } : row,
  ),
});
