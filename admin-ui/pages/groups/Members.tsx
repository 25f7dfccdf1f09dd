import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../../shared/contract/screens/devices.ts';
import { addGroupDevice, type Group, removeGroupDevice } from '../../../shared/contract/screens/groups.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { useLiveStatuses } from '../../api/live/useLive.ts';
import { playlistsQuery } from '../../api/playlists.ts';
import { client } from '../../api/requests/client.ts';
import { Button, IconButton } from '../../components/controls/Button.tsx';
import { FormDialog } from '../../components/controls/Dialog.tsx';
import { Badge, Section } from '../../components/frame/Page.tsx';
import { useTicks } from '../../components/lists/useTicks.ts';
import { ScreenFinder } from '../../domain/screens/ScreenFinder.tsx';
import { ScreenTicks } from '../../domain/screens/ScreenTicks.tsx';
import { useChangeScreens } from '../../domain/screens/useChangeScreens.ts';
import { useFormat } from '../../i18n/useFormat.ts';

/** @param props.chooses whether the user may change the members */
export function Members({ group, chooses }: { group: Group; chooses: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
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
        <p className="field-hint">{t(group.device_count > 0 ? 'group.byRule' : 'group.noneByRule', { tags: rule })}</p>
      )}
      <ScreenFinder
        label={t('nav.screens')}
        within={{ group_id: group.id }}
        none={rule ? null : <p className="field-hint">{t('group.noMembers')}</p>}
      >
        {(screen) => {
          const status = statuses.get(screen.id) ?? (screen.status === 'online' ? 'online' : 'offline');
          return (
            <div className="member">
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
            </div>
          );
        }}
      </ScreenFinder>
      {adding && <AddMembers group={group} onClose={() => setAdding(false)} />}
    </Section>
  );
}

function AddMembers({ group, onClose }: { group: Group; onClose: () => void }) {
  const { t } = useTranslation();
  const { chosen, tick } = useTicks();
  const add = useChangeScreens({
    said: (count) => ({ text: t('common.joined', { count, name: group.name }) }),
    done: onClose,
  });
  return (
    <FormDialog
      title={t('group.add')}
      onClose={onClose}
      onSubmit={() => chosen.size > 0 && add.mutate([{ device_ids: [...chosen], join: group.id }])}
      submit={t('group.addCount', { count: chosen.size })}
      isDisabled={chosen.size === 0}
      isPending={add.isPending}
    >
      <p>{group.playlist_id === null ? t('group.addLead') : t('group.addLeadPlaylist')}</p>
      <ScreenTicks
        within={{ without_group_id: group.id }}
        none={<p className="field-hint">{t('group.noMore')}</p>}
        isTicked={({ id }) => chosen.has(id)}
        onToggle={tick}
      />
    </FormDialog>
  );
}
