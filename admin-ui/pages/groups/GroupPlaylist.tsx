import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content/content.ts';
import { assignGroupContent, assignGroupPlaylist, type Group } from '../../../shared/contract/screens/groups.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { groupCountsQuery } from '../../api/groups.ts';
import { client } from '../../api/requests/client.ts';
import { useCanShow } from '../../api/session/me.ts';
import { Button } from '../../components/controls/Button.tsx';
import { ConfirmDialog } from '../../components/controls/Dialog.tsx';
import { ContentPicker } from '../../domain/content/ContentPicker.tsx';
import { SubjectPicker } from '../../domain/content/SubjectPicker.tsx';

const PLAYLISTS = ['playlist'] as const;

/**
 * Section for the content of the group's screens: a playlist for the group, or contents that are added to the
 * playlist of each screen.
 */
export function GroupPlaylist({ group, canWrite }: { group: Group; canWrite: boolean }) {
  const { t } = useTranslation();
  const canShow = useCanShow();
  const isEmpty = group.device_count === 0;
  const inheriting = useQuery(groupCountsQuery).data?.get(group.id)?.inheriting ?? 0;
  const choose = useEdit<{ id: string; name: string; undone?: boolean }, { devices_updated: number }>({
    topics: ['groups', 'devices'],
    run: ({ id }) => client.call(assignGroupPlaylist, { params: { id: group.id }, body: { playlist_id: id } }),
    said: ({ devices_updated: count }, { name, undone }) => {
      if (undone) return undefined;
      const before = group.playlist_id;
      const undo =
        before === null
          ? undefined
          : { label: t('common.undo'), run: () => choose.mutate({ id: before, name: '', undone: true }) };
      return {
        text: isEmpty ? t('group.assignedEmpty', { name }) : t('group.assigned', { count, name }),
        action: undo,
      };
    },
  });
  const current = choose.isPending ? choose.variables.id : group.playlist_id;
  return (
    <>
      <SubjectPicker
        label={t('group.playlist')}
        kinds={PLAYLISTS}
        value={current === null ? null : { kind: 'playlist', id: current }}
        onChange={(chosen, hit) =>
          chosen && chosen.id !== group.playlist_id && choose.mutate({ id: chosen.id, name: hit?.name ?? '' })
        }
        isDisabled={!canWrite || choose.isPending}
        hint={isEmpty ? t('group.playlistHintEmpty') : t('group.playlistHint', { count: inheriting })}
      />
      {canWrite && canShow && group.device_count > 0 && <AddContent group={group} count={group.device_count} />}
    </>
  );
}

function AddContent({ group, count }: { group: Group; count: number }) {
  const { t } = useTranslation();
  const [choosing, setChoosing] = useState(false);
  const [chosen, setChosen] = useState<Content>();
  const add = useEdit<Content, { devices_updated: number }>({
    topics: ['groups', 'devices', 'playlists'],
    run: (content) => client.call(assignGroupContent, { params: { id: group.id }, body: { content_id: content.id } }),
    said: ({ devices_updated }, content) => t('group.contentAdded', { name: content.filename, count: devices_updated }),
    done: () => setChosen(undefined),
  });
  return (
    <div className="form-actions">
      <Button icon={Plus} size="small" onPress={() => setChoosing(true)}>
        {t('group.addContent')}
      </Button>
      {choosing && (
        <ContentPicker
          title={t('group.addContent')}
          onClose={() => setChoosing(false)}
          onChoose={(content) => {
            setChosen(content);
            setChoosing(false);
          }}
        />
      )}
      {chosen && (
        <ConfirmDialog
          title={t('group.addContentAsk', { name: chosen.filename })}
          confirm={t('group.addContentDo')}
          isPending={add.isPending}
          onConfirm={() => add.mutate(chosen)}
          onClose={() => setChosen(undefined)}
        >
          <p>{t('group.addContentEffects', { count })}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
