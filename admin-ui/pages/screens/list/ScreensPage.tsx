import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Bookmark, LayoutGrid, Plus, Rows3 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Segments } from '../../../components/choices/Choices.tsx';
import { Button } from '../../../components/controls/Button.tsx';
import { SearchField } from '../../../components/fields/SearchField.tsx';
import { Bone, Empty, Notice, Page, Section } from '../../../components/frame/Page.tsx';
import { useSelection } from '../../../components/lists/useSelection.ts';
import { QueryFailure } from '../../../domain/records/QueryFailure.tsx';
import nothingFoundDrawing from '../../../drawings/nothing-found.svg?raw';
import screensDrawing from '../../../drawings/screens.svg?raw';
import '../../../components/frame/Toolbar.css';
import type { Device } from '../../../../shared/contract/screens/devices.ts';
import { alarmsQuery } from '../../../api/messages.ts';
import { useProblem } from '../../../api/requests/useProblem.ts';
import { type ScreensFilter, screensOf } from '../../../api/screens.ts';
import { useOwnGroups } from '../../../api/session/me.ts';
import { VirtualGrid } from '../../../components/lists/VirtualGrid.tsx';
import { withTexts } from '../../../i18n/i18n.ts';
import { ScreenCard } from './ScreenCard.tsx';
import { ScreenFilters } from './ScreenFilters.tsx';
import { columnsOf, orderOf, sortOf } from './screenTable.utils.ts';
import '../screens.css';
import { useFirstSteps } from '../connecting/useFirstSteps.ts';
import { type StateFilter, stateFilters } from '../screens.utils.ts';
import { useScreensData } from './useScreensData.ts';

// Loaded on demand, so that the wall does not wait for parts that appear later, or for a new store only.
const AlarmNotices = lazy(() =>
  withTexts(() => import('./AlarmNotices.tsx')).then((m) => ({ default: m.AlarmNotices })),
);
const BulkActions = lazy(() => withTexts(() => import('./BulkActions.tsx')).then((m) => ({ default: m.BulkActions })));
const ConnectByCode = lazy(() =>
  withTexts(() => import('../connecting/ConnectByCode.tsx')).then((m) => ({ default: m.ConnectByCode })),
);
const ScreenTable = lazy(() => withTexts(() => import('./ScreenTable.tsx')).then((m) => ({ default: m.ScreenTable })));
const Views = lazy(() => withTexts(() => import('./Views.tsx')).then((m) => ({ default: m.Views })));
const WaitingScreens = lazy(() =>
  import('../connecting/WaitingScreens.tsx').then((m) => ({ default: m.WaitingScreens })),
);
const FirstSteps = lazy(() =>
  withTexts(() => import('../connecting/FirstSteps.tsx')).then((m) => ({ default: m.FirstSteps })),
);

/** A shorter list needs no search field. */
const SEARCH_FROM = 7;

export function ScreensPage() {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/screens' });
  const { q = '', group, tag, claim, connect: asked, columns, ...search } = useSearch({ from: '/shell/screens' });
  const state: StateFilter = stateFilters.find((one) => one === search.state) ?? 'all';
  const isTable = search.view === 'table';
  const order = isTable ? orderOf(search.sort) : undefined;
  const wanted: ScreensFilter = {
    q: q.trim() || undefined,
    status: state === 'all' ? undefined : state,
    group_id: group,
    tag,
  };
  const filter = { ...wanted, ...sortOf(order) };
  const data = useScreensData(filter);
  const selection = useSelection<Device>(data.at, data.load);
  const chosen = [...selection.chosen.values()];
  const tell = useProblem();
  const ownGroups = useOwnGroups();
  const own = ownGroups && group === undefined ? { group_id: ownGroups.join(',') } : {};
  const chooseAll = () => void screensOf({ ...filter, ...own }).then(selection.choose, tell);
  const [viewing, setViewing] = useState(false);
  const [looking, setLooking] = useState(false);
  const [connecting, setConnecting] = useState(false);
  const connect = data.mayClaim && (
    <Button icon={Plus} variant="primary" onPress={() => setConnecting(true)}>
      {t('screens.connect')}
    </Button>
  );
  const stopConnecting = () => {
    setConnecting(false);
    if (claim || asked) look({});
  };
  type Look = { [K in 'q' | 'state' | 'group' | 'tag' | 'view' | 'sort' | 'columns']?: string | undefined };
  const looks = (change: Look): Record<string, string> =>
    Object.fromEntries(
      Object.entries({
        q,
        group,
        tag,
        state: search.state,
        view: search.view,
        sort: search.sort,
        columns: isTable ? columns : undefined,
        ...change,
      }).flatMap(([name, value]) => (value ? [[name, value]] : [])),
    );
  const look = (change: Look) => void navigate({ search: looks(change), replace: true });
  const showAll = (
    <Button onPress={() => look({ q: undefined, state: undefined, group: undefined, tag: undefined })}>
      {t('screens.showAll')}
    </Button>
  );
  const filtered = Boolean(q) || state !== 'all' || group !== undefined || tag !== undefined;
  const { total, online, problems } = data.counts;
  const alarms = useQuery(alarmsQuery).data ?? [];
  const steps = useFirstSteps({ screens: data.status === 'success' ? total : undefined, canWrite: data.mayClaim });
  const asking = data.status === 'pending' || steps === undefined;
  const many = total >= SEARCH_FROM || data.hasGroups || data.tags.length > 0 || filtered;

  return (
    <Page
      title={t('nav.screens')}
      lead={!asking && total > 0 ? t('screens.summary', { count: total, online }) : undefined}
      actions={!asking && total > 0 && connect}
    >
      {claim && data.status === 'success' && !data.mayClaim && (
        <Notice tone="info" title={t('problem.forbidden')}>
          {t('common.askAdmin')}
        </Notice>
      )}
      {alarms.length > 0 && (
        <Suspense>
          <AlarmNotices alarms={alarms} />
        </Suspense>
      )}
      {asking && <WallSkeleton />}
      {data.status === 'error' && <QueryFailure query={data} whenGone={showAll} />}
      {(data.status === 'success' || total > 0) && !asking && (
        <Suspense fallback={<WallSkeleton />}>
          {data.waiting.length > 0 && (
            <div className="waiting">
              {total > 0 && (
                <p className="waiting-bar">
                  {t('screens.waiting', { count: data.waiting.length })}
                  <Button size="small" onPress={() => setLooking(!looking)} aria-expanded={looking}>
                    {looking ? t('screens.waitingHide') : t('screens.waitingShow')}
                  </Button>
                </p>
              )}
              {(looking || total === 0) && (
                <Section title={t('screens.waitingTitle')} lead={t('screens.waitingLead')}>
                  <WaitingScreens players={data.waiting} />
                </Section>
              )}
            </div>
          )}
          {many && total > 0 && (
            <div className="toolbar">
              <SearchField label={t('screens.search')} value={q} onChange={(text) => look({ q: text })} />
              <Segments
                label={t('screens.filter')}
                value={state}
                onChange={(next) => look({ state: next === 'all' ? undefined : next })}
                options={stateFilters.map((value) => ({
                  value,
                  label:
                    value === 'problems' && problems > 0
                      ? t('screens.problems', { count: problems })
                      : t(`screens.filters.${value}`),
                }))}
              />
              <Segments
                label={t('screens.view')}
                value={isTable ? 'table' : 'pictures'}
                onChange={(view) => look({ view: view === 'table' ? view : undefined, sort: undefined })}
                options={[
                  { value: 'pictures', label: t('screens.views.pictures'), icon: LayoutGrid, iconOnly: true },
                  { value: 'table', label: t('screens.views.table'), icon: Rows3, iconOnly: true },
                ]}
              />
              <div className="toolbar-end">
                {(data.tags.length > 0 || data.hasGroups) && (
                  <ScreenFilters
                    tag={tag}
                    tags={data.tags}
                    group={group}
                    hasGroups={data.hasGroups}
                    onChange={(change) => look(change)}
                  />
                )}
                <Button icon={Bookmark} onPress={() => setViewing(true)}>
                  {t('screens.keptViews')}
                </Button>
              </div>
            </div>
          )}
          {steps && <FirstSteps steps={steps} onConnect={() => setConnecting(true)} />}
          {total === 0 && !data.mayClaim && (
            <Empty drawing={screensDrawing} title={t('screens.emptyTitle')}>
              {t('screens.emptyHelp')}
            </Empty>
          )}
          {total > 0 && data.found === 0 && data.status === 'success' && (
            <Empty
              drawing={nothingFoundDrawing}
              title={q ? t('screens.noneFound') : t('screens.noneMatch')}
              actions={showAll}
            >
              {q ? t('screens.noneFoundHelp', { q }) : t('screens.noneMatchHelp')}
            </Empty>
          )}
          {data.found > 0 && !isTable && (
            <VirtualGrid
              label={t('nav.screens')}
              count={data.found}
              minColumn={272}
              gap={20}
              estimateRow={(width) => (width * 9) / 16 + 110}
              keyOf={(i) => data.at(i)?.id ?? i}
              isChosen={data.canWrite ? (i) => selection.chosen.has(data.at(i)?.id ?? '') : undefined}
              onRange={data.onRange}
              renderCell={(i) => {
                const screen = data.at(i);
                if (!screen) return <Bone height="15rem" radius="var(--r-xl)" />;
                return (
                  <ScreenCard
                    screen={screen}
                    index={i}
                    canWrite={data.canWrite}
                    isSelected={selection.chosen.has(screen.id)}
                    selecting={selection.chosen.size > 0}
                    onToggle={selection.toggle}
                  />
                );
              }}
            />
          )}
          {data.found > 0 && isTable && (
            <ScreenTable
              count={data.found}
              at={data.at}
              onRange={data.onRange}
              columns={columnsOf(columns)}
              onColumns={(next) => look({ columns: next })}
              order={order}
              onOrder={(next) => look({ sort: next })}
              canWrite={data.canWrite}
              isChosen={(id) => selection.chosen.has(id)}
              onToggle={selection.toggle}
            />
          )}
        </Suspense>
      )}
      {chosen.length > 0 && (
        <Suspense>
          <BulkActions
            screens={chosen}
            onClear={selection.clear}
            onAll={chosen.length < data.found ? chooseAll : undefined}
          />
        </Suspense>
      )}
      {viewing && (
        <Suspense>
          <Views
            query={looks({})}
            csv={filter}
            onShow={(query) => void navigate({ search: query, replace: true })}
            onClose={() => setViewing(false)}
          />
        </Suspense>
      )}
      {(connecting || claim || asked) && data.mayClaim && (
        <Suspense>
          <ConnectByCode key={claim} claim={claim} onClose={stopConnecting} />
        </Suspense>
      )}
    </Page>
  );
}

function WallSkeleton() {
  return (
    <div className="waiting-list" aria-hidden>
      {[0, 1, 2].map((i) => (
        <Bone key={i} height="15rem" radius="var(--r-xl)" />
      ))}
    </div>
  );
}
