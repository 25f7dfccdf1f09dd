import { useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlaylistVersion, PlaylistWithItems } from '../../../../shared/contract/content/playlists.ts';
import { playlistVersionQuery, playlistVersionsQuery } from '../../../api/playlists.ts';
import { RadioCards } from '../../../components/choices/RadioCards.tsx';
import { Button } from '../../../components/controls/Button.tsx';
import { Dialog } from '../../../components/controls/Dialog.tsx';
import { Bone, Empty, Notice } from '../../../components/frame/Page.tsx';
import { Unanswered } from '../../../domain/records/QueryFailure.tsx';
import playlistsDrawing from '../../../drawings/playlists.svg?raw';
import { useFormat } from '../../../i18n/useFormat.ts';
import { ChangesList, useChangesInWords } from './Changes.tsx';
import { compare, transitionChange } from './compare.utils.ts';

type Props = {
  playlist: PlaylistWithItems;
  /** Replaces the draft by a version. Resolves to whether this succeeded. */
  onReturn: (version: PlaylistVersion) => Promise<boolean>;
  onClose: () => void;
};

/**
 * Dialog with the published versions of the playlist, their differences from the present list, and a button to
 * return to a version.
 */
export function Versions({ playlist, onReturn, onClose }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  // Fetched again, since another user may have published after the page was opened.
  const query = useQuery({ ...playlistVersionsQuery(playlist.id), staleTime: 0 });
  const [chosen, setChosen] = useState<number>();
  const [busy, setBusy] = useState(false);
  const versions = query.data ?? [];
  // If the draft has no changes, the newest version equals the list, so the version before it is preselected.
  const usual = playlist.status === 'published' ? (versions[1] ?? versions[0]) : versions[0];
  const version = versions.find(({ id }) => id === chosen) ?? usual;
  const back = async () => {
    if (!version) return;
    setBusy(true);
    if (await onReturn(version)) onClose();
    else setBusy(false);
  };
  return (
    <Dialog
      title={t('playlist.versions')}
      size="wide"
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('common.close')}</Button>
          {version && (
            <Button icon={History} variant="primary" isPending={busy} onPress={() => void back()}>
              {t('playlist.versionReturn')}
            </Button>
          )}
        </>
      }
    >
      <Unanswered query={query} bones={<Bone height="10rem" radius="var(--r-l)" />} />
      {query.isSuccess && !version && (
        <Empty drawing={playlistsDrawing} title={t('playlist.versionsNone')}>
          {t('playlist.versionsNoneHelp')}
        </Empty>
      )}
      {version && (
        <div className="versions">
          <RadioCards
            label={t('playlist.versionsOf')}
            value={String(version.id)}
            onChange={(id) => setChosen(Number(id))}
            options={versions.map(({ id, published_at, user_name, asked_by_name, item_count }) => ({
              value: String(id),
              label: format.dateTime(published_at),
              hint: [
                t('playlists.items', { count: item_count }),
                asked_by_name === null ? user_name : t('approval.version', { asked: asked_by_name, who: user_name }),
              ]
                .filter(Boolean)
                .join(' · '),
            }))}
          />
          <Difference key={version.id} playlist={playlist} version={version} />
        </div>
      )}
    </Dialog>
  );
}

function Difference({ playlist, version }: { playlist: PlaylistWithItems; version: PlaylistVersion }) {
  const { t } = useTranslation();
  const inWords = useChangesInWords();
  const query = useQuery(playlistVersionQuery(playlist.id, version.id));
  if (!query.data) return <Unanswered query={query} bones={<Bone height="10rem" radius="var(--r-l)" />} />;
  const { items, missing, transition: after } = query.data;
  const changes = compare(playlist.items, items);
  const transition = transitionChange({ published_transition: playlist.transition, transition: after });
  const differs = changes.length > 0 || transition !== null;
  return (
    <div className="version-changes">
      <p>
        {differs ? t('playlist.versionChanges', { changes: inWords(changes, transition) }) : t('playlist.versionSame')}
      </p>
      {missing > 0 && <Notice tone="warn" title={t('playlist.versionMissing', { count: missing })} />}
      {differs && <ChangesList changes={changes} transition={transition} />}
    </div>
  );
}
