import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../../../shared/contract/errors.ts';
import {
  type BackChange,
  changeDevices,
  commandDevices,
  identifyDevices,
} from '../../../../../shared/contract/screens/device-bulk.ts';
import {
  type CommandStatus,
  type Device,
  type Orientation,
  tagDevices,
} from '../../../../../shared/contract/screens/devices.ts';
import { ownEdits } from '../../../../api/editing/ownEdits.ts';
import { client } from '../../../../api/requests/client.ts';
import { rootsOf } from '../../../../api/requests/topics.ts';
import { useProblem } from '../../../../api/requests/useProblem.ts';
import { screensOf } from '../../../../api/screens.ts';
import { toast } from '../../../../components/controls/toasts.ts';
import type { Order } from '../../../../domain/screens/CommandDialog.tsx';

type Named = { readonly id: string; readonly name: string };
/** A change of some screens; the ids are added later. */
type Change = Pick<BackChange, 'set' | 'join' | 'leave'>;

/**
 * Runs a request for many screens. If screens were deleted since they were selected, retries without them.
 * @throws ApiError 404 if this does not help
 */
const forThoseLeft = async <R>(ids: readonly string[], run: (ids: string[]) => Promise<R>): Promise<R> => {
  try {
    return await run([...ids]);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    const there = new Set((await screensOf({})).map(({ id }) => id));
    const left = ids.filter((id) => there.has(id));
    if (left.length === 0 || left.length === ids.length) throw error;
    return run(left);
  }
};

/**
 * Hook for one change to many screens in a single request. The toast offers to undo the change, except for commands.
 */
export const useBulk = (screens: readonly Device[]) => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const tell = useProblem();
  const ids = screens.map(({ id }) => id);

  const refresh = () => {
    const roots = new Set([...rootsOf('devices'), ...rootsOf('groups')]);
    void queries.invalidateQueries({ predicate: (q) => roots.has(String(q.queryKey[0])) });
  };
  /** Runs an edit. Shows a failure, and returns undefined then. */
  const edit = async <R>(run: () => Promise<R>): Promise<R | undefined> => {
    const end = ownEdits.begin(['devices', 'groups']);
    try {
      return await run();
    } catch (error) {
      tell(error);
      return undefined;
    } finally {
      end();
      refresh();
    }
  };
  const send = (changes: readonly BackChange[]) =>
    client.call(changeDevices, { body: { changes: changes as BackChange[] } });
  const say = (count: number, text: string, undo: readonly BackChange[]) =>
    toast({
      tone: count > 0 ? 'done' : 'note',
      text: count > 0 ? text : t('bulk.unchanged'),
      ...(count > 0 && { action: { label: t('common.undo'), run: () => void edit(() => send(undo)) } }),
    });
  const change = async (what: Change, text: (count: number) => string) => {
    const done = await edit(() => forThoseLeft(ids, (device_ids) => send([{ device_ids, ...what }])));
    if (done) say(done.devices_updated, text(done.devices_updated), done.undo);
  };

  return {
    playlist: (playlist: Named | null) =>
      change({ set: { playlist_id: playlist?.id ?? null } }, (count) =>
        playlist ? t('common.playing', { count, name: playlist.name }) : t('bulk.inheriting', { count }),
      ),
    layout: (layout: Named | null) =>
      change({ set: { layout_id: layout?.id ?? null } }, (count) =>
        layout ? t('bulk.divided', { count, name: layout.name }) : t('bulk.whole', { count }),
      ),
    orientation: (orientation: Orientation) => change({ set: { orientation } }, (count) => t('bulk.turned', { count })),
    hours: (opening_hours: Device['opening_hours']) =>
      change({ set: { opening_hours } }, (count) =>
        opening_hours.length > 0 ? t('bulk.opened', { count }) : t('bulk.alwaysOpen', { count }),
      ),
    group: (group: Named) => change({ join: group.id }, (count) => t('common.joined', { count, name: group.name })),
    /** Gives each screen a different name. */
    rename: async (names: ReadonlyMap<string, string>) => {
      const done = await edit(() =>
        forThoseLeft(ids, (left) => send(left.map((id) => ({ device_ids: [id], set: { name: names.get(id) ?? '' } })))),
      );
      if (done) say(done.devices_updated, t('bulk.renamed', { count: done.devices_updated }), done.undo);
    },
    tags: async (add: readonly string[], remove: readonly string[]) => {
      const done = await edit(() =>
        forThoseLeft(ids, (device_ids) =>
          client.call(tagDevices, { body: { device_ids, add: [...add], remove: [...remove] } }),
        ),
      );
      if (!done) return;
      const alike = Map.groupBy(screens, ({ tags }) => JSON.stringify(tags));
      const undo = [...alike.values()].map((some) => ({
        device_ids: some.map(({ id }) => id),
        set: { tags: some[0]!.tags },
      }));
      say(done.devices_updated, t('bulk.tagged', { count: done.devices_updated }), undo);
    },
    identify: async () => {
      const done = await edit(() =>
        forThoseLeft(ids, (device_ids) => client.call(identifyDevices, { body: { device_ids, seconds: null } })),
      );
      if (!done) return;
      const { sent, offline } = done;
      if (sent > 0)
        toast({
          tone: 'done',
          text: t('identify.shown', { count: sent }),
          detail: offline > 0 ? t('identify.notShown', { count: offline }) : undefined,
        });
      else toast({ tone: 'note', text: t('identify.notShown', { count: offline }) });
    },
    command: async (command: Order) => {
      const done = await edit(() =>
        forThoseLeft(ids, (device_ids) => client.call(commandDevices, { body: { device_ids, command } })),
      );
      if (!done) return;
      const became = Map.groupBy(done.results, ({ status }) => status);
      const countOf = (status: CommandStatus) => became.get(status)?.length ?? 0;
      const words = (['done', 'sent', 'offline', 'unsupported', 'failed'] as const).flatMap((status) => {
        const count = countOf(status);
        return count ? [t(`bulk.became.${status}`, { count })] : [];
      });
      toast({
        tone: countOf('unsupported') + countOf('failed') === 0 ? 'done' : 'note',
        text: t('bulk.commanded', { command: t(`commands.of.${command.type}.name`), count: done.total }),
        detail: words.join(' · '),
      });
    },
  };
};
