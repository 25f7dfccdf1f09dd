import { useParams } from '@tanstack/react-router';
import { Megaphone } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { stateOf } from '../../../shared/contract/screens/device-state.ts';
import type { Device, DeviceDetail } from '../../../shared/contract/screens/devices.ts';
import { composer } from '../../api/editing/composer.ts';
import { useCanShow, useHasAllScreens } from '../../api/session/me.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Badge, Bone, Notice, Page, Section } from '../../components/frame/Page.tsx';
import { RecordPage } from '../../domain/records/RecordPage.tsx';
import { Hindered } from '../../domain/saving/Hindered.tsx';
import { worded } from '../../i18n/sentences.ts';
import { PlaylistChoice } from './connecting/PlaylistChoice.tsx';
import { IdentifyButton } from './IdentifyButton.tsx';
import { PlaybackPreview } from './preview/PlaybackPreview.tsx';
import { ScreenStage } from './preview/ScreenStage.tsx';
import { RemoveScreen } from './RemoveScreen.tsx';
import { ScreenCharts } from './ScreenCharts.tsx';
import { ScreenCommands } from './ScreenCommands.tsx';
import { ScreenFacts } from './ScreenFacts.tsx';
import { ScreenHealth } from './ScreenHealth.tsx';
import { ScreenHistory, ScreenPlays } from './ScreenHistory.tsx';
import { ScreenPlaces } from './ScreenPlaces.tsx';
import { ScreenSettings } from './ScreenSettings.tsx';
import { StatusDay } from './StatusDay.tsx';
import { toneOf } from './screens.utils.ts';
import './list/screenTools.css';
import './screens.css';
import { useScreenData } from './useScreenData.ts';

export function ScreenPage() {
  const { t } = useTranslation();
  const { screenId } = useParams({ from: '/shell/screens/$screenId' });
  const { query, canWrite, why, detail, etag, screen } = useScreenData(screenId);
  return (
    <RecordPage
      query={query}
      record={screen && detail && { screen, detail, etag, canWrite, why }}
      name={screen?.name}
      list={{ to: '/screens', label: t('screen.all') }}
      leave={t('app.toScreens')}
      bones={
        <div className="screen-page">
          <Bone height="24rem" radius="var(--r-xl)" />
          <Bone height="24rem" radius="var(--r-xl)" />
        </div>
      }
    >
      {(record, back) => <ScreenDetail {...record} back={back} />}
    </RecordPage>
  );
}

type DetailProps = {
  screen: Device;
  detail: DeviceDetail;
  etag: string | undefined;
  canWrite: boolean;
  /**
   * Reason why the user may not change the screen; undefined if the change is permitted, or forbidden by the role.
   */
  why: string | undefined;
  back: ReactNode;
};

function ScreenDetail({ screen, detail, etag, canWrite, why, back }: DetailProps) {
  const { t } = useTranslation();
  const canShow = useCanShow();
  const hasAll = useHasAllScreens();
  const state = stateOf(screen);
  return (
    <Page
      before={back}
      title={screen.name}
      actions={
        <>
          <Badge tone={toneOf[state]} dot>
            {t(`screens.state.${state}`)}
          </Badge>
          {canWrite && <IdentifyButton screen={screen} />}
          {canWrite && canShow && (
            <Button
              icon={Megaphone}
              onPress={() => composer.open([{ kind: 'device', id: screen.id, name: screen.name }])}
            >
              {t('nav.messageNow')}
            </Button>
          )}
        </>
      }
    >
      <Hindered why={why} />
      {screen.program?.state === 'failed' && (
        <Notice tone="warn" title={t('screens.failed', { reason: worded(screen.program.reason ?? '') })} />
      )}
      <div className="screen-page">
        <div className="column">
          <ScreenStage screen={screen} detail={detail} />
          <PlaybackPreview screen={screen} />
          <Section title={t('screen.health')}>
            <ScreenHealth screen={screen} />
            {detail.status_log.length > 0 && <StatusDay log={detail.status_log} />}
          </Section>
          <ScreenCharts id={screen.id} />
          <ScreenPlays screen={screen} />
        </div>
        <div className="column">
          <Section title={t('screen.plays')}>
            <PlaylistChoice detail={detail} canWrite={canWrite} />
          </Section>
          {canWrite && (
            <Section title={t('commands.title')}>
              <ScreenCommands screen={screen} />
            </Section>
          )}
          <Section title={t('screen.partOf')}>
            <ScreenPlaces detail={detail} />
          </Section>
          <Section title={t('nav.settings')}>
            <ScreenSettings key={detail.id} detail={detail} etag={etag} canWrite={canWrite} />
          </Section>
          <Section title={t('screen.facts')}>
            <ScreenFacts screen={screen} />
          </Section>
          <ScreenHistory screen={screen} />
          {hasAll && <RemoveScreen screen={screen} />}
        </div>
      </div>
    </Page>
  );
}
