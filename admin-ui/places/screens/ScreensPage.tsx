import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NothingFoundArt, ScreensArt } from '../../components/Art.tsx';
import { Button } from '../../components/Button.tsx';
import { Bone, Empty, Notice, Page, Section } from '../../components/Page.tsx';
import { QueryFailure } from '../../components/QueryFailure.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { VirtualGrid } from '../../components/VirtualGrid.tsx';
import { describeProblem } from '../../data/useProblem.ts';
import { ConnectByCode } from './ConnectByCode.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { ScreenCard } from './ScreenCard.tsx';
import './screens.css';
import { useScreensData } from './useScreensData.ts';
import { WaitingScreens } from './WaitingScreens.tsx';

/** Fewer are seen at a glance. */
const SEARCH_FROM = 7;

export function ScreensPage() {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/screens' });
  const { q = '', claim, connect: asked } = useSearch({ from: '/shell/screens' });
  const data = useScreensData(q);
  const [connecting, setConnecting] = useState(false);
  const connect = data.canWrite && (
    <Button icon={Plus} variant="primary" onPress={() => setConnecting(true)}>
      {t('screens.connect')}
    </Button>
  );
  const stopConnecting = () => {
    setConnecting(false);
    if (claim || asked) void navigate({ search: q ? { q } : {}, replace: true });
  };
  const search = (text: string) => void navigate({ search: text ? { q: text } : {}, replace: true });

  return (
    <Page
      title={t('screens.title')}
      lead={data.total > 0 ? t('screens.summary', { count: data.total, online: data.online }) : undefined}
      actions={
        data.total > 0 && (
          <>
            {data.total >= SEARCH_FROM && <SearchField label={t('screens.search')} value={q} onChange={search} />}
            {connect}
          </>
        )
      }
    >
      {claim && data.status === 'success' && !data.canWrite && (
        <Notice tone="info" title={t('problem.forbidden')}>
          {t('settings.askAdmin')}
        </Notice>
      )}
      {data.waiting.length > 0 && (
        <div className="waiting">
          <Section title={t('screens.waitingTitle')} lead={t('screens.waitingLead')}>
            <WaitingScreens players={data.waiting} />
          </Section>
        </div>
      )}
      {data.status === 'pending' && <WallSkeleton />}
      {data.status === 'error' && <QueryFailure {...describeProblem(data.error, t)} onRetry={() => void data.refetch()} />}
      {data.status === 'success' && data.canWrite && <FirstSteps screens={data.total} onConnect={() => setConnecting(true)} />}
      {data.status === 'success' && data.total === 0 && !data.canWrite && (
        <Empty art={<ScreensArt />} title={t('screens.emptyTitle')}>
          {t('screens.emptyHelp')}
        </Empty>
      )}
      {data.total > 0 && data.screens.length === 0 && (
        <Empty art={<NothingFoundArt />} title={t('screens.noneFound')}>
          {t('screens.noneFoundHelp', { q })}
        </Empty>
      )}
      {data.screens.length > 0 && (
        <VirtualGrid
          label={t('screens.title')}
          count={data.screens.length}
          minColumn={272}
          gap={20}
          estimateRow={(width) => (width * 9) / 16 + 110}
          keyOf={(i) => data.screens[i]!.id}
          renderCell={(i) => <ScreenCard screen={data.screens[i]!} />}
        />
      )}
      {(connecting || claim || asked) && data.canWrite && <ConnectByCode key={claim} claim={claim} onClose={stopConnecting} />}
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
