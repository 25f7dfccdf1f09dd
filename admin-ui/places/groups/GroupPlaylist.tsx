import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content.ts';
import { assignGroupContent, assignGroupPlaylist, type Group } from '../../../shared/contract/groups.ts';
import { Button } from '../../components/Button.tsx';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { Select } from '../../components/Select.tsx';
import { client } from '../../data/client.ts';
import { groupMembersQuery } from '../../data/groups.ts';
import { playlistsQuery } from '../../data/playlists.ts';
import { useEdit } from '../../data/useEdit.ts';
import { ContentPicker } from '../../parts/ContentPicker.tsx';

/** What the group's screens play: a playlist of the group, and contents put into the screens' own. */
export function GroupPlaylist({ group, canWrite }: { group: Group; canWrite: boolean }) {
  const { t } = useTranslation();
  const playlists = useQuery(playlistsQuery).data ?? [];
  const members = useQuery(groupMembersQuery(group.id)).data ?? [];
  const inheriting = members.filter((m) => m.playlist_id === null).length;
  const nameOf = (id: string | null) => playlists.find((p) => p.id === id)?.name ?? '';
  const choose = useEdit<{ id: string; undone?: boolean }, { devices_updated: number }>({
    topics: ['groups', 'devices'],
    run: ({ id }) => client.call(assignGroupPlaylist, { params: { id: group.id }, body: { playlist_id: id } }),
    said: ({ devices_updated: count }, { id, undone }) => {
      if (undone) return undefined;
      const before = group.playlist_id;
      const undo =
        before === null
          ? undefined
          : { label: t('common.undo'), run: () => choose.mutate({ id: before, undone: true }) };
      return { text: t('group.assigned', { count, name: nameOf(id) }), action: undo };
    },
  });
  return (
    <>
      <Select
        label={t('group.playlist')}
        placeholder={t('bulk.choose')}
        value={choose.isPending ? choose.variables.id : group.playlist_id}
        onChange={(id) => id !== group.playlist_id && choose.mutate({ id })}
        isDisabled={!canWrite || choose.isPending}
        hint={t('group.playlistHint', { count: inheriting })}
        options={playlists
          .filter((p) => p.device_id === null)
          .map((p) => ({
            value: p.id,
            label: p.name,
            hint: p.published_at === null ? t('playlists.status.never') : t('playlists.items', { count: p.item_count }),
          }))}
      />
      {canWrite && members.length > 0 && <AddContent group={group} count={members.length} />}
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
