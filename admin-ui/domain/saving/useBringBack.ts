import { useTranslation } from 'react-i18next';
import { type LeftPlace, listBin, type Restored, restoreFromBin } from '../../../shared/contract/content/bin.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { Topic } from '../../../shared/protocol/live.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { client } from '../../api/requests/client.ts';
import { forEach } from '../../api/requests/forEach.ts';
import { useFormat } from '../../i18n/useFormat.ts';

/** Kinds of records that a restore may change. */
const TOPICS: readonly Topic[] = [
  'bin',
  'content',
  'playlists',
  'plans',
  'schedules',
  'layouts',
  'groups',
  'widgets',
  'walls',
  'kiosk',
  'devices',
];
/** Maximum number of places named for each reason. Further places are only counted. */
const NAMED = 5;

/** Records to restore: entries of the bin, in this order, or the ids of records that were just deleted. */
export type Binned = { readonly entries: readonly string[] } | { readonly refs: readonly string[] };

const entryOf = async (ref: string): Promise<string> => {
  const [newest] = await client.call(listBin, { query: { ref, limit: '1' } });
  if (!newest) throw new ApiError(404, 'It is no longer in the bin');
  return newest.id;
};
const restore = (id: string): Promise<Restored> => client.call(restoreFromBin, { params: { id } });

/** Restores deleted records with their assignments, and reports what could not be restored. */
export const useBringBack = () => {
  const { t } = useTranslation();
  const format = useFormat();
  const leftInWords = (left: readonly LeftPlace[]): string =>
    (['taken', 'gone', 'full', 'binned'] as const)
      .flatMap((reason) => {
        const places = left.filter((place) => (place.bin_id ? 'binned' : place.reason) === reason);
        if (places.length === 0) return [];
        const named = places.slice(0, NAMED).map(({ kind, name }) => t(`bin.place.${kind}`, { name }).trim());
        const more = places.length - named.length;
        return [
          t(`bin.left.${reason}`, {
            names: format.list(more > 0 ? [...named, t('bin.more', { count: more })] : named),
          }),
        ];
      })
      .join(' ');
  return useEdit<Binned, readonly Restored[]>({
    topics: TOPICS,
    run: async (what) => {
      const restored: Restored[] = [];
      if ('entries' in what) {
        // Restores one entry after the other, because an entry may need an earlier one. If an entry is assigned to a
        // later entry, restoring the later entry also restores the assignment.
        for (const id of what.entries) restored.push(await restore(id));
        const isBack = ({ bin_id }: LeftPlace) => bin_id !== null && what.entries.includes(bin_id);
        return restored.map((one) => ({ ...one, left: one.left.filter((place) => !isBack(place)) }));
      }
      const { failed } = await forEach(what.refs, async (ref) => void restored.push(await restore(await entryOf(ref))));
      if (failed[0]) throw failed[0].error;
      return restored;
    },
    said: (restored) => ({
      text: t('bin.restored', { count: restored.length, name: restored[0]?.name ?? '' }),
      detail: leftInWords(restored.flatMap(({ left }) => left)) || undefined,
    }),
  });
};
