import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import {
  type CommandStatus,
  clearDevicePlaylist,
  commandDevice,
  type Device,
  identifyDevice,
  type Orientation,
  tagDevices,
  updateDevice,
} from '../../../shared/contract/devices.ts';
import { addGroupDevice, removeGroupDevice } from '../../../shared/contract/groups.ts';
import { assignPlaylist } from '../../../shared/contract/playlists.ts';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { forEach } from '../../data/forEach.ts';
import { groupMembersQuery } from '../../data/groups.ts';
import { ownEdits } from '../../data/ownEdits.ts';
import { rootsOf } from '../../data/topics.ts';
import { useProblem } from '../../data/useProblem.ts';
import type { Order } from '../../parts/CommandDialog.tsx';

type Named = { readonly id: string; readonly name: string };

const setPlaylist = (screen: Device, playlist: string | null) =>
  playlist === null
    ? client.call(clearDevicePlaylist, { params: { id: screen.id } })
    : client.call(assignPlaylist, { params: { id: playlist }, body: { device_id: screen.id } });

/** One change to many screens. What was before is put back by the toast; commands cannot be taken back. */
export const useBulk = (screens: readonly Device[]) => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const tell = useProblem();

  const refresh = () => {
    const roots = new Set([...rootsOf('devices'), ...rootsOf('groups')]);
    void queries.invalidateQueries({ predicate: (q) => roots.has(String(q.queryKey[0])) });
  };
  const each = async (of: readonly Device[], run: (screen: Device) => Promise<unknown>) => {
    const end = ownEdits.begin(['devices', 'groups']);
    try {
      const { done, failed } = await forEach(of, run, 6);
      if (failed[0]) tell(failed[0].error);
      return done;
    } finally {
      end();
      refresh();
    }
  };
  const retag = ({ id, tags }: Device) => client.call(updateDevice, { params: { id }, body: { tags } });
  const change = async (
    to: (screen: Device) => Promise<unknown>,
    back: (screen: Device) => Promise<unknown>,
    text: (count: number) => string,
  ) => {
    const done = await each(screens, to);
    if (done.length > 0)
      toast({
        tone: 'done',
        text: text(done.length),
        action: { label: t('common.undo'), run: () => void each(done, back) },
      });
  };

  return {
    playlist: (playlist: Named | null) =>
      change(
        (screen) => setPlaylist(screen, playlist?.id ?? null),
        (screen) => setPlaylist(screen, screen.playlist_id),
        (count) => (playlist ? t('common.playing', { count, name: playlist.name }) : t('bulk.inheriting', { count })),
      ),
    layout: (layout: Named | null) =>
      change(
        (screen) => client.call(updateDevice, { params: { id: screen.id }, body: { layout_id: layout?.id ?? null } }),
        (screen) => client.call(updateDevice, { params: { id: screen.id }, body: { layout_id: screen.layout_id } }),
        (count) => (layout ? t('bulk.divided', { count, name: layout.name }) : t('bulk.whole', { count })),
      ),
    orientation: (orientation: Orientation) =>
      change(
        (screen) => client.call(updateDevice, { params: { id: screen.id }, body: { orientation } }),
        (screen) => client.call(updateDevice, { params: { id: screen.id }, body: { orientation: screen.orientation } }),
        (count) => t('bulk.turned', { count }),
      ),
    hours: (opening_hours: Device['opening_hours']) =>
      change(
        (screen) => client.call(updateDevice, { params: { id: screen.id }, body: { opening_hours } }),
        (screen) =>
          client.call(updateDevice, { params: { id: screen.id }, body: { opening_hours: screen.opening_hours } }),
        (count) => (opening_hours.length > 0 ? t('bulk.opened', { count }) : t('bulk.alwaysOpen', { count })),
      ),
    tags: async (add: readonly string[], remove: readonly string[]) => {
      const end = ownEdits.begin(['devices', 'groups']);
      try {
        const { devices_updated: count } = await client.call(tagDevices, {
          body: { device_ids: screens.map(({ id }) => id), add: [...add], remove: [...remove] },
        });
        const undo = { label: t('common.undo'), run: () => void each(screens, retag) };
        toast({
          tone: count > 0 ? 'done' : 'note',
          text: t('bulk.tagged', { count }),
          ...(count > 0 && { action: undo }),
        });
      } catch (error) {
        tell(error);
      } finally {
        end();
        refresh();
      }
    },
    group: async (group: Named) => {
      const members = new Set((await queries.fetchQuery(groupMembersQuery(group.id))).map((member) => member.id));
      const joining = screens.filter((screen) => !members.has(screen.id));
      const done = await each(joining, (screen) =>
        client.call(addGroupDevice, { params: { id: group.id }, body: { device_id: screen.id } }),
      );
      const leave = (screen: Device) =>
        client.call(removeGroupDevice, { params: { id: group.id, deviceId: screen.id } });
      if (joining.length === 0) toast({ tone: 'note', text: t('bulk.allIn', { name: group.name }) });
      else if (done.length > 0)
        toast({
          tone: 'done',
          text: t('common.joined', { count: done.length, name: group.name }),
          action: { label: t('common.undo'), run: () => void each(done, leave) },
        });
    },
    identify: async () => {
      let shown = 0;
      const done = await each(screens, async (screen) => {
        const { status } = await client.call(identifyDevice, { params: { id: screen.id }, body: { seconds: null } });
        if (status === 'sent') shown++;
      });
      const others = done.length - shown;
      if (shown > 0)
        toast({
          tone: 'done',
          text: t('identify.shown', { count: shown }),
          detail: others > 0 ? t('identify.notShown', { count: others }) : undefined,
        });
      else if (others > 0) toast({ tone: 'note', text: t('identify.notShown', { count: others }) });
    },
    command: async (order: Order) => {
      const became = new Map<CommandStatus, number>();
      const done = await each(screens, async (screen) => {
        const { status } = await client.call(commandDevice, { params: { id: screen.id }, body: order });
        became.set(status, (became.get(status) ?? 0) + 1);
      });
      if (done.length === 0) return;
      const words = (['done', 'sent', 'offline', 'unsupported', 'failed'] as const).flatMap((status) => {
        const count = became.get(status);
        return count ? [t(`bulk.became.${status}`, { count })] : [];
      });
      const good = (became.get('unsupported') ?? 0) + (became.get('failed') ?? 0) === 0;
      toast({
        tone: good ? 'done' : 'note',
        text: t('bulk.commanded', { command: t(`commands.of.${order.type}.name`), count: done.length }),
        detail: words.join(' · '),
      });
    },
  };
};
