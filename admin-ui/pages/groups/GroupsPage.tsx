import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { changeDevices } from '../../../shared/contract/screens/device-bulk.ts';
import { createGroup, type Group } from '../../../shared/contract/screens/groups.ts';
import { useForm } from '../../api/editing/useForm.ts';
import { groupCountsQuery, groupsQuery } from '../../api/groups.ts';
import { playlistsQuery } from '../../api/playlists.ts';
import { client } from '../../api/requests/client.ts';
import { screenCountsQuery } from '../../api/screens.ts';
import { useHasAllScreens } from '../../api/session/me.ts';
import { Swatches } from '../../components/fields/Swatches.tsx';
import { useTicks } from '../../components/lists/useTicks.ts';
import { NewRecord } from '../../domain/records/NewRecord.tsx';
import { TilePage } from '../../domain/records/TilePage.tsx';
import { ScreenTicks } from '../../domain/screens/ScreenTicks.tsx';
import { TagPicker } from '../../domain/screens/TagPicker.tsx';
import groupsDrawing from '../../drawings/groups.svg?raw';
import { useFormat } from '../../i18n/useFormat.ts';
import { GROUP_COLOURS } from './group.utils.ts';
import './groups.css';

export function GroupsPage() {
  const { t } = useTranslation();
  const query = useQuery(groupsQuery);
  const names = new Map((useQuery(playlistsQuery).data ?? []).map((p) => [p.id, p.name]));
  const canMake = useHasAllScreens();
  const groups = query.data ?? [];
  return (
    <TilePage
      title={t('nav.groups')}
      lead={t('groups.lead')}
      query={query}
      records={groups}
      tile={17}
      tall={7}
      grows={false}
      tight
      empty={{ drawing: groupsDrawing, title: t('groups.emptyTitle'), help: t('groups.emptyHelp') }}
      make={t('groups.new')}
      canMake={canMake}
      dialog={(onClose) => <NewGroup onClose={onClose} />}
    >
      {(group) => (
        <GroupCard group={group} playlist={group.playlist_id === null ? undefined : names.get(group.playlist_id)} />
      )}
    </TilePage>
  );
}

function GroupCard({ group, playlist }: { group: Group; playlist: string | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { online, names } = useQuery(groupCountsQuery).data?.get(group.id) ?? { online: 0, names: [] };
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
      {names.length > 0 && <small className="truncate">{format.list(names)}</small>}
    </Link>
  );
}

function NewGroup({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const hasScreens = (useQuery(screenCountsQuery).data?.total ?? 0) > 0;
  const { chosen, tick } = useTicks();
  const form = useForm({
    place: 'groups/new',
    start: { name: '', color: GROUP_COLOURS[0].value as string, rule_tags: [] as string[] },
    schema: createGroup.body,
    topics: ['groups', 'devices'],
    run: async (body) => {
      const group = await client.call(createGroup, { body });
      if (group.rule_tags === null && chosen.size > 0)
        await client.call(changeDevices, { body: { changes: [{ device_ids: [...chosen], join: group.id }] } });
      return group;
    },
    done: ({ id }) => void navigate({ to: '/groups/$groupId', params: { groupId: id } }),
  });
  return (
    <NewRecord title={t('groups.newTitle')} form={form} placeholder={t('groups.namePlaceholder')} onClose={onClose}>
      <Swatches
        label={t('schedule.colour')}
        colours={GROUP_COLOURS.map((c) => ({ value: c.value, name: t(`groups.colourOf.${c.name}`) }))}
        value={form.values.color}
        onChange={(color) => form.set({ color })}
      />
      <TagPicker
        label={t('groups.rule')}
        hint={t('groups.ruleHint')}
        value={form.values.rule_tags}
        onChange={(rule_tags) => form.set({ rule_tags })}
      />
      {hasScreens && form.values.rule_tags.length === 0 && (
        <div className="field">
          <span className="field-label">{t('nav.screens')}</span>
          <ScreenTicks none={null} isTicked={({ id }) => chosen.has(id)} onToggle={tick} />
        </div>
      )}
    </NewRecord>
  );
}
