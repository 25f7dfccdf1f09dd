import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../../../shared/contract/screens/devices.ts';
import { alarmsQuery } from '../../../api/messages.ts';
import { useProblem } from '../../../api/requests/useProblem.ts';
import { screensOf } from '../../../api/screens.ts';
import { useOwnGroups } from '../../../api/session/me.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Bone, Empty, Notice, Page, Section } from '../../../components/frame/Page.tsx';
import { type Selection, useSelection } from '../../../components/lists/useSelection.ts';
import { QueryFailure } from '../../../domain/records/QueryFailure.tsx';
import nothingFoundDrawing from '../../../drawings/nothing-found.svg?raw';
import screensDrawing from '../../../drawings/screens.svg?raw';
import { withTexts } from '../../../i18n/i18n.ts';
import { ScreenList } from './ScreenList.tsx';
import { ScreensToolbar } from './ScreensToolbar.tsx';
import '../screens.css';
import { useFirstSteps } from '../connecting/useFirstSteps.ts';
import { type ScreensAddress, useScreensAddress } from './useScreensAddress.ts';
import { useScreensData } from './useScreensData.ts';

// Loaded on demand, so that the wall does not wait for parts that appear later, or for a new store only.
const AlarmNotices = lazy(() =>
  withTexts(() => import('./AlarmNotices.tsx')).then((m) => ({ default: m.AlarmNotices })),
);
const BulkActions = lazy(() =>
  withTexts(() => import('./bulk/BulkActions.tsx')).then((m) => ({ default: m.BulkActions })),
);
const ConnectByCode = lazy(() =>
  withTexts(() => import('../connecting/ConnectByCode.tsx')).then((m) => ({ default: m.ConnectByCode })),
);
const Views = lazy(() => withTexts(() => import('./Views.tsx')).then((m) => ({ default: m.Views })));
const WaitingScreens = lazy(() =>
  import('../connecting/WaitingScreens.tsx').then((m) => ({ default: m.WaitingScreens })),
);
const FirstSteps = lazy(() =>
  withTexts(() => import('../connecting/FirstSteps.tsx')).then((m) => ({ default: m.FirstSteps })),
);

/** A shorter list needs no search field. */
const SEARCH_FROM = 7;

/** All screens, and players that wait to be connected. */
export function ScreensPage() {
  const { t } = useTranslation();
  const address = useScreensAddress();
  const { q, filter, filtered, claim } = address;
  const data = useScreensData(filter);
  const selection = useSelection<Device>(data.at, data.load);
  const chosen = [...selection.chosen.values()];
  const chooseAll = useChooseAll(address, selection);
  const [viewing, setViewing] = useState(false);
  const [looking, setLooking] = useState(false);
  const [connecting, setConnecting] = useState(false);
  const stopConnecting = () => {
    setConnecting(false);
    if (claim || address.connect) address.change({});
  };
  const showAll = (
    <Button onPress={() => address.change({ q: undefined, state: undefined, group: undefined, tag: undefined })}>
      {t('screens.showAll')}
    </Button>
  );
  const { total, online } = data.counts;
  const alarms = useQuery(alarmsQuery).data ?? [];
  const steps = useFirstSteps({ screens: data.status === 'success' ? total : undefined, canWrite: data.mayClaim });
  const asking = data.status === 'pending' || steps === undefined;
  const many = total >= SEARCH_FROM || data.hasGroups || data.tags.length > 0 || filtered;

  return (
    <Page
      title={t('nav.screens')}
      lead={!asking && total > 0 ? t('screens.summary', { count: total, online }) : undefined}
      actions={
        !asking &&
        total > 0 &&
        data.mayClaim && (
          <Button icon={Plus} variant="primary" onPress={() => setConnecting(true)}>
            {t('screens.connect')}
          </Button>
        )
      }
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
            <Waiting
              players={data.waiting}
              hasScreens={total > 0}
              isOpen={looking}
              onToggle={() => setLooking(!looking)}
            />
          )}
          {many && total > 0 && <ScreensToolbar address={address} data={data} onViews={() => setViewing(true)} />}
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
          {data.found > 0 && <ScreenList address={address} data={data} selection={selection} />}
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
          <Views query={address.query} csv={filter} onShow={address.show} onClose={() => setViewing(false)} />
        </Suspense>
      )}
      {(connecting || claim || address.connect) && data.mayClaim && (
        <Suspense>
          <ConnectByCode key={claim} claim={claim} onClose={stopConnecting} />
        </Suspense>
      )}
    </Page>
  );
}

/** Returns a function that selects all screens of the filter that the user may change. */
const useChooseAll = ({ filter, group }: ScreensAddress, { choose }: Selection<Device>) => {
  const tell = useProblem();
  const ownGroups = useOwnGroups();
  const own = ownGroups && group === undefined ? { group_id: ownGroups.join(',') } : {};
  return () => void screensOf({ ...filter, ...own }).then(choose, tell);
};

/** Players that wait to be connected. Beside screens, the list is folded into a bar. */
function Waiting({
  players,
  hasScreens,
  isOpen,
  onToggle,
}: {
  players: ReturnType<typeof useScreensData>['waiting'];
  hasScreens: boolean;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const { t } = useTranslation();
  return (
    <div className="waiting">
      {hasScreens && (
        <p className="waiting-bar">
          {t('screens.waiting', { count: players.length })}
          <Button size="small" onPress={onToggle} aria-expanded={isOpen}>
            {isOpen ? t('screens.waitingHide') : t('screens.waitingShow')}
          </Button>
        </p>
      )}
      {(isOpen || !hasScreens) && (
        <Section title={t('screens.waitingTitle')} lead={t('screens.waitingLead')}>
          <WaitingScreens players={players} />
        </Section>
      )}
    </div>
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
