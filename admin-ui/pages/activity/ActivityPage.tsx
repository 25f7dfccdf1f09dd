import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { activityQuery } from '../../api/activity.ts';
import { namedScreensQuery, screenCountsQuery } from '../../api/screens.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Bone, Empty, Page, Section } from '../../components/frame/Page.tsx';
import { useNow } from '../../components/hooks/useNow.ts';
import { SubjectPicker } from '../../domain/content/SubjectPicker.tsx';
import { ActivityLine } from '../../domain/people/ActivityEntry.tsx';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import activityDrawing from '../../drawings/activity.svg?raw';
import { useFormat } from '../../i18n/useFormat.ts';
import './activity.css';
import { byDay } from './activity.utils.ts';

const SCREENS = ['device'] as const;
const DAY = 86_400;

export function ActivityPage() {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const navigate = useNavigate({ from: '/activity' });
  const { screen } = useSearch({ from: '/shell/activity' });
  const query = useInfiniteQuery(activityQuery(screen));
  const hasScreens = (useQuery(screenCountsQuery).data?.total ?? 0) > 0;
  const pages = query.data?.pages ?? [];
  const entries = pages.flatMap((page) => page.entries);
  const screens = useQueries({
    queries: pages.map((page) => {
      const ids = [...new Set(page.entries.flatMap(({ device_id }) => device_id ?? []))].sort();
      return { ...namedScreensQuery(ids), enabled: ids.length > 0 };
    }),
    combine: (all) => new Map(all.flatMap(({ data }) => (data ?? []).map((one) => [one.id, one] as const))),
  });
  const names: Record<string, string> = {
    [format.date(now)]: t('schedule.today'),
    [format.date(now - DAY)]: t('activity.yesterday'),
  };
  const showAll = <Button onPress={() => void navigate({ search: {}, replace: true })}>{t('content.showAll')}</Button>;
  return (
    <Page title={t('nav.activity')} lead={t('activity.lead')} narrow>
      {hasScreens && (
        <div className="activity-filter">
          <SubjectPicker
            label={t('activity.screen')}
            placeholder={t('overlay.all')}
            kinds={SCREENS}
            value={screen === undefined ? null : { kind: 'device', id: screen }}
            onChange={(chosen) => void navigate({ search: chosen ? { screen: chosen.id } : {}, replace: true })}
            allowsNone
          />
        </div>
      )}
      <Unanswered query={query} bones={<Bone height="20rem" radius="var(--r-l)" />} whenGone={showAll} />
      {query.isSuccess && entries.length === 0 && (
        <Empty
          drawing={activityDrawing}
          title={screen ? t('activity.noneTitle') : t('activity.emptyTitle')}
          actions={screen && showAll}
        >
          {t('activity.emptyHelp')}
        </Empty>
      )}
      {byDay(entries, format.date).map(({ day, entries: ofDay }) => (
        <Section key={day} title={names[day] ?? day}>
          <ol className="card activity-list" aria-label={t('activity.list', { day: names[day] ?? day })}>
            {ofDay.map((entry) => (
              <ActivityLine
                key={entry.id}
                entry={entry}
                screen={entry.device_id === null ? undefined : screens.get(entry.device_id)}
              />
            ))}
          </ol>
        </Section>
      ))}
      {query.hasNextPage && (
        <div className="activity-more">
          <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
            {t('activity.more')}
          </Button>
        </div>
      )}
    </Page>
  );
}
