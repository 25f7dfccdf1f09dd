import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PlaylistWithItems } from '../../../../shared/contract/content/playlists.ts';
import { playlistScreensQuery, publishedItemsQuery } from '../../../api/playlists.ts';
import { Badge, Bone, Notice } from '../../../components/frame/Page.tsx';
import { PlaybackProblems } from '../../../domain/content/PlaybackProblems.tsx';
import { ChangesList } from './Changes.tsx';
import { compare, transitionChange } from './compare.utils.ts';

const SHOWN = 60;

/** Lists the affected screens and the changes on them, before publishing. */
export function PublishEffects({ playlist }: { playlist: PlaylistWithItems }) {
  const { t } = useTranslation();
  // Fetched again, since a schedule may have begun after the page was opened.
  const screens = useQuery({ ...playlistScreensQuery(playlist.id), staleTime: 0 }).data;
  const published = useQuery(publishedItemsQuery(playlist.id)).data;
  const changes = published && playlist.published_at !== null ? compare(published, playlist.items) : [];
  const transition = playlist.published_at !== null ? transitionChange(playlist) : null;
  const count = screens?.length ?? playlist.display_count;
  return (
    <>
      <p>{t('playlist.publishScreens', { count })}</p>
      {screens ? (
        <ul className="name-list">
          {screens.slice(0, SHOWN).map((screen) => (
            <li key={screen.device_id}>
              <Badge tone="info">
                {screen.source === 'device'
                  ? screen.name
                  : t('playlist.publishThrough', { name: screen.name, source: t(`playlist.source.${screen.source}`) })}
              </Badge>
            </li>
          ))}
        </ul>
      ) : (
        <Bone height="1.75rem" />
      )}
      {count > SHOWN && <p>{t('playlist.publishMore', { count: count - SHOWN })}</p>}
      <PlaybackProblems question={{ playlist_id: playlist.id }} />
      {(changes.length > 0 || transition) && <ChangesList changes={changes} transition={transition} />}
      {playlist.items.length === 0 && <Notice tone="warn" title={t('playlist.publishEmpty')} />}
    </>
  );
}
