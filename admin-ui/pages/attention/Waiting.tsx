import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { waitingQuery } from '../../api/approvals.ts';
import { ButtonLink } from '../../components/controls/Button.tsx';
import { Badge } from '../../components/frame/Page.tsx';
import { useNow } from '../../components/hooks/useNow.ts';
import { useFormat } from '../../i18n/useFormat.ts';

/**
 * Section with the requests of other users to publish a playlist. The request that has waited longest comes first.
 */
export function Waiting() {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  // An edit of the playlist makes its request stale. The author has to request approval again.
  const waiting = (useQuery(waitingQuery).data ?? []).filter(({ is_stale }) => !is_stale);
  if (waiting.length === 0) return null;
  return (
    <section className="card alert-kind" aria-labelledby="waiting-for-approval">
      <header>
        <Badge tone="info" dot>
          {format.number(waiting.length)}
        </Badge>
        <h2 id="waiting-for-approval">{t('approval.section')}</h2>
      </header>
      <ul>
        {waiting.map(({ id, playlist_id, playlist_name, user_name, note, created_at }) => (
          <li key={id} className="alert-row">
            <div className="alert-text">
              <p>
                <strong>{playlist_name}</strong>{' '}
                <small>{t('approval.sectionOf', { who: user_name, ago: format.ago(created_at, now) })}</small>
              </p>
              {note && <p className="alert-detail">{note}</p>}
            </div>
            <div className="alert-actions">
              <ButtonLink to="/playlists/$playlistId" params={{ playlistId: playlist_id }} size="small">
                {t('approval.look')}
              </ButtonLink>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
