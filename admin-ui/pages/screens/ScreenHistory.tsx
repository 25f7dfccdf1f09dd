import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../../shared/contract/screens/devices.ts';
import { activityQuery } from '../../api/activity.ts';
import { latestPlaysQuery } from '../../api/reports.ts';
import { ButtonLink } from '../../components/controls/Button.tsx';
import { Bone, Section } from '../../components/frame/Page.tsx';
import { ActivityLine } from '../../domain/people/ActivityEntry.tsx';
import { useFormat } from '../../i18n/useFormat.ts';

/** Maximum number of rows. All rows are in the reports and in the activity log. */
const SHOWN = 6;

/** Section with the last plays that the screen reported. */
export function ScreenPlays({ screen }: { screen: Device }) {
  const { t } = useTranslation();
  const format = useFormat();
  const plays = useQuery(latestPlaysQuery(screen.id, SHOWN)).data;
  return (
    <Section
      title={t('history.plays')}
      actions={
        <ButtonLink to="/reports" search={{ range: 'today', screen: screen.id, view: 'plays' }} size="small">
          {t('history.allPlays')}
        </ButtonLink>
      }
    >
      {!plays && <Bone height="9rem" radius="var(--r-l)" />}
      {plays?.length === 0 && <p className="field-hint">{t('history.noPlays')}</p>}
      {plays && plays.length > 0 && (
        <ol className="card play-list">
          {plays.map((play) => (
            <li key={play.id}>
              <strong className="truncate">{play.content_name}</strong>
              <span>
                {play.completed === 1
                  ? format.span(play.duration_sec)
                  : t('history.brokenOff', { length: format.span(play.duration_sec) })}
              </span>
              <time dateTime={new Date(play.started_at * 1000).toISOString()}>{format.dateTime(play.started_at)}</time>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

/** Section with the last changes to the screen, and who made them. */
export function ScreenHistory({ screen }: { screen: Device }) {
  const { t } = useTranslation();
  const query = useInfiniteQuery(activityQuery(screen.id));
  const entries = query.data?.pages[0]?.entries.slice(0, SHOWN);
  return (
    <Section
      title={t('history.title')}
      actions={
        <ButtonLink to="/activity" search={{ screen: screen.id }} size="small">
          {t('history.all')}
        </ButtonLink>
      }
    >
      {query.isPending && <Bone height="9rem" radius="var(--r-l)" />}
      {entries?.length === 0 && <p className="field-hint">{t('history.none')}</p>}
      {entries && entries.length > 0 && (
        <ol className="card screen-history">
          {entries.map((entry) => (
            <ActivityLine key={entry.id} entry={entry} screen={screen} here />
          ))}
        </ol>
      )}
    </Section>
  );
}
