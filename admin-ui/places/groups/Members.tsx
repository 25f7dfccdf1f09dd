import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../../shared/contract/devices.ts';
import { addGroupDevice, type Group, removeGroupDevice } from '../../../shared/contract/groups.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { FormDialog } from '../../components/Dialog.tsx';
import { Badge, Section } from '../../components/Page.tsx';
import { useTicks } from '../../components/useTicks.ts';
import { client } from '../../data/client.ts';
import { groupMembersQuery } from '../../data/groups.ts';
import { playlistsQuery } from '../../data/playlists.ts';
import { screensQuery } from '../../data/screens.ts';
import { useEdit } from '../../data/useEdit.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { useLiveStatuses } from '../../live/useLive.ts';
import { ScreenTicks } from '../../parts/ScreenTicks.tsx';

export function Members({ group, canWrite }: { group: Group; canWrite: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const members = useQuery(groupMembersQuery(group.id)).data ?? [];
  const chooses = canWrite && group.rule_tags === null;
  const rule = group.rule_tags && format.list(group.rule_tags);
  const names = new Map((useQuery(playlistsQuery).data ?? []).map((p) => [p.id, p.name]));
  const statuses = useLiveStatuses();
  const [adding, setAdding] = useState(false);
  const put = useEdit<{ screen: Pick<Device, 'id' | 'name'>; on: boolean; undone?: boolean }>({
    topics: ['groups', 'devices'],
    run: ({ screen, on }) =>
      on
        ? client.call(addGroupDevice, { params: { id: group.id }, body: { device_id: screen.id } })
        : client.call(removeGroupDevice, { params: { id: group.id, deviceId: screen.id } }),
    said: (_, { screen, undone }) =>
      undone
        ? undefined
        : {
            text: t('group.left', { screen: screen.name, name: group.name }),
            action: { label: t('common.undo'), run: () => put.mutate({ screen, on: true, undone: true }) },
          },
  });
  const plays = (screen: Device) => {
    if (screen.playlist_id !== null) return t('group.playsOwn', { name: names.get(screen.playlist_id) ?? '' });
    return group.playlist_id === null ? t('group.playsNothing') : t('group.playsGroups');
  };
  return (
    <Section
      title={t('nav.screens')}
      actions={
        chooses && (
          <Button icon={Plus} size="small" onPress={() => setAdding(true)}>
            {t('group.add')}
          </Button>
        )
      }
    >
      {rule && (
        <p className="field-hint">{t(members.length > 0 ? 'group.byRule' : 'group.noneByRule', { tags: rule })}</p>
      )}
      {members.length === 0 && !rule && <p className="field-hint">{t('group.noMembers')}</p>}
      <ul className="member-list">
        {members.map((screen) => {
          const status = statuses.get(screen.id) ?? (screen.status === 'online' ? 'online' : 'offline');
          return (
            <li key={screen.id}>
              <div className="member-text">
                <Link to="/screens/$screenId" params={{ screenId: screen.id }} className="truncate">
                  {screen.name}
                </Link>
                <small className="truncate">{plays(screen)}</small>
              </div>
              <Badge tone={status === 'online' ? 'good' : 'bad'} dot>
                {t(`screens.state.${status}`)}
              </Badge>
              {chooses && (
                <IconButton
                  icon={X}
                  size="small"
                  label={t('group.takeOut', { name: screen.name })}
                  onPress={() => put.mutate({ screen, on: false })}
                />
              )}
            </li>
          );
        })}
      </ul>
      {adding && (
        <AddMembers group={group} present={new Set(members.map((m) => m.id))} onClose={() => setAdding(false)} />
      )}
    </Section>
  );
}

function AddMembers({ group, present, onClose }: { group: Group; present: ReadonlySet<string>; onClose: () => void }) {
  const { t } = useTranslation();
  const screens = (useQuery(screensQuery).data ?? []).filter((s) => !present.has(s.id));
  const { chosen, tick } = useTicks();
  const add = useEdit<void, number>({
    topics: ['groups', 'devices'],
    run: async () => {
      for (const device_id of chosen)
        await client.call(addGroupDevice, { params: { id: group.id }, body: { device_id } });
      return chosen.size;
    },
    said: (count) => t('common.joined', { count, name: group.name }),
    done: onClose,
  });
  return (
    <FormDialog
      title={t('group.add')}
      onClose={onClose}
      onSubmit={() => chosen.size > 0 && add.mutate()}
      submit={t('group.addCount', { count: chosen.size })}
      isDisabled={chosen.size === 0}
      isPending={add.isPending}
    >
      {screens.length === 0 ? (
        <p className="field-hint">{t('group.noMore')}</p>
      ) : (
        <p>{group.playlist_id === null ? t('group.addLead') : t('group.addLeadPlaylist')}</p>
      )}
      {screens.length > 0 && <ScreenTicks screens={screens} isTicked={(id) => chosen.has(id)} onToggle={tick} />}
    </FormDialog>
  );
}
