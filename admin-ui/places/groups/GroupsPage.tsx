import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type CSSProperties, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addGroupDevice, createGroup, type Group } from '../../../shared/contract/groups.ts';
import { Button } from '../../components/Button.tsx';
import { FormDialog } from '../../components/Dialog.tsx';
import { Empty, Page } from '../../components/Page.tsx';
import { Swatches } from '../../components/Swatches.tsx';
import { TextField } from '../../components/TextField.tsx';
import { useTicks } from '../../components/useTicks.ts';
import { client } from '../../data/client.ts';
import { groupMembersQuery, groupsQuery } from '../../data/groups.ts';
import { useCanWrite } from '../../data/me.ts';
import { playlistsQuery } from '../../data/playlists.ts';
import { screensQuery } from '../../data/screens.ts';
import { useForm } from '../../data/useForm.ts';
import groupsDrawing from '../../drawings/groups.svg?raw';
import { useFormat } from '../../i18n/useFormat.ts';
import { ScreenTicks } from '../../parts/ScreenTicks.tsx';
import { TileGrid } from '../../parts/TileGrid.tsx';
import { GROUP_COLOURS } from './group.utils.ts';
import './groups.css';

export function GroupsPage() {
  const { t } = useTranslation();
  const canWrite = useCanWrite();
  const query = useQuery(groupsQuery);
  const names = new Map((useQuery(playlistsQuery).data ?? []).map((p) => [p.id, p.name]));
  const [making, setMaking] = useState(false);
  const groups = query.data ?? [];
  const make = canWrite && (
    <Button icon={Plus} variant="primary" onPress={() => setMaking(true)}>
      {t('groups.new')}
    </Button>
  );
  return (
    <Page title={t('nav.groups')} lead={t('groups.lead')} actions={groups.length > 0 && make}>
      <TileGrid
        query={query}
        records={groups}
        tile="17rem"
        bone="8rem"
        tight
        empty={
          <Empty drawing={groupsDrawing} title={t('groups.emptyTitle')} actions={make}>
            {t('groups.emptyHelp')}
          </Empty>
        }
      >
        {(group) => (
          <GroupCard group={group} playlist={group.playlist_id === null ? undefined : names.get(group.playlist_id)} />
        )}
      </TileGrid>
      {making && <NewGroup onClose={() => setMaking(false)} />}
    </Page>
  );
}

function GroupCard({ group, playlist }: { group: Group; playlist: string | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const members = useQuery({ ...groupMembersQuery(group.id), enabled: group.device_count > 0 }).data ?? [];
  const online = members.filter((m) => m.status === 'online').length;
  return (
    <Link
      to="/groups/$groupId"
      params={{ groupId: group.id }}
      className="group-card"
      style={{ '--group': group.color } as CSSProperties}
    >
      <h3 className="truncate">{group.name}</h3>
      <p>{t('groups.members', { count: group.device_count, online })}</p>
      <p className="truncate">{playlist ?? t('screens.state.idle')}</p>
      {members.length > 0 && <small className="truncate">{format.list(members.map((m) => m.name))}</small>}
    </Link>
  );
}

function NewGroup({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const screens = useQuery(screensQuery).data ?? [];
  const { chosen, tick } = useTicks();
  const form = useForm({
    start: { name: '', color: GROUP_COLOURS[0].value as string },
    schema: createGroup.body,
    topics: ['groups', 'devices'],
    run: async (body) => {
      const group = await client.call(createGroup, { body });
      for (const device_id of chosen)
        await client.call(addGroupDevice, { params: { id: group.id }, body: { device_id } });
      return group;
    },
    done: ({ id }) => void navigate({ to: '/groups/$groupId', params: { groupId: id } }),
  });
  return (
    <FormDialog
      title={t('groups.newTitle')}
      onClose={onClose}
      onSubmit={form.send}
      submit={t('common.create')}
      isPending={form.isPending}
    >
      <TextField
        {...form.field('name', t('common.name'))}
        placeholder={t('groups.namePlaceholder')}
        autoFocus
        maxLength={200}
      />
      <Swatches
        label={t('schedule.colour')}
        colours={GROUP_COLOURS.map((c) => ({ value: c.value, name: t(`groups.colourOf.${c.name}`) }))}
        value={form.values.color}
        onChange={(color) => form.set({ color })}
      />
      {screens.length > 0 && (
        <div className="field">
          <span className="field-label">{t('nav.screens')}</span>
          <ScreenTicks screens={screens} isTicked={(id) => chosen.has(id)} onToggle={tick} />
        </div>
      )}
    </FormDialog>
  );
}
