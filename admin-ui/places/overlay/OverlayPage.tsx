import { useSearch } from '@tanstack/react-router';
import { Send, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, ButtonLink } from '../../components/Button.tsx';
import { Checkbox } from '../../components/Choices.tsx';
import { Badge, Bone, Empty, Page, Section, type Tone } from '../../components/Page.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import screensDrawing from '../../drawings/screens.svg?raw';
import { QueryFailure } from '../../parts/QueryFailure.tsx';
import '../../components/maker.css';
import { ticked } from '../../components/useTicks.ts';
import { OverlayForm } from './OverlayForm.tsx';
import { OverlayStage } from './OverlayStage.tsx';
import './overlay.css';
import { type Arrival, blank, hasAddress } from './overlay.utils.ts';
import { type OverlayData, useOverlayData } from './useOverlayData.ts';

export function OverlayPage() {
  const { t } = useTranslation();
  const data = useOverlayData();
  const [overlay, setOverlay] = useState(blank);
  const { screen } = useSearch({ from: '/shell/overlay' });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(screen === undefined ? [] : [screen]));
  const { screens, screenList } = data;
  if (screens.isPending) {
    return (
      <Page title={t('overlay.pageTitle')}>
        <Bone height="24rem" radius="var(--r-xl)" />
      </Page>
    );
  }
  if (screens.isError && !screens.data) return <QueryFailure query={screens} />;
  if (screenList.length === 0 || !data.canWrite) {
    return (
      <Page title={t('overlay.pageTitle')}>
        <Empty
          drawing={screensDrawing}
          title={data.canWrite ? t('overlay.emptyTitle') : t('problem.forbidden')}
          actions={<ButtonLink to="/screens">{t('app.toScreens')}</ButtonLink>}
        >
          {t('overlay.emptyHelp')}
        </Empty>
      </Page>
    );
  }
  return (
    <Page title={t('overlay.pageTitle')} lead={t('overlay.lead')}>
      <div className="maker">
        <fieldset className="maker-form" aria-label={t('overlay.compose')}>
          <OverlayForm overlay={overlay} onChange={(part) => setOverlay((now) => ({ ...now, ...part }))} />
        </fieldset>
        <div className="overlay-side">
          <OverlayStage overlay={overlay} screens={screenList} />
          <Targets
            data={data}
            chosen={chosen}
            onChange={setChosen}
            canSend={hasAddress(overlay.uri)}
            onSend={() => void data.send(overlay, [...chosen])}
          />
          {data.arrivals.length > 0 && <Arrivals data={data} />}
        </div>
      </div>
    </Page>
  );
}

type TargetsProps = {
  data: OverlayData;
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
  canSend: boolean;
  onSend: () => void;
};

function Targets({ data, chosen, onChange, canSend, onSend }: TargetsProps) {
  const { t } = useTranslation();
  const toggle = (id: string, on: boolean) => onChange(ticked(chosen, id, on));
  const all = data.screenList.map(({ id }) => id);
  const hasAll = all.every((id) => chosen.has(id));
  return (
    <Section
      title={t('overlay.where')}
      actions={
        <Button size="small" variant="quiet" onPress={() => onChange(hasAll ? new Set() : new Set(all))}>
          {hasAll ? t('overlay.none') : t('overlay.all')}
        </Button>
      }
    >
      <ul className="overlay-targets">
        {data.groupList.map((group) => (
          <li key={group.id}>
            <Checkbox
              isSelected={chosen.has(group.id)}
              onChange={(on) => toggle(group.id, on)}
              hint={t('overlay.groupOf', { count: group.device_count })}
            >
              {group.name}
            </Checkbox>
          </li>
        ))}
        {data.screenList.map((screen) => (
          <li key={screen.id}>
            <Checkbox
              isSelected={chosen.has(screen.id)}
              onChange={(on) => toggle(screen.id, on)}
              hint={
                screen.status !== 'online'
                  ? t('screens.state.offline')
                  : screen.screen_on === false
                    ? t('screens.state.off')
                    : undefined
              }
            >
              {screen.name}
            </Checkbox>
          </li>
        ))}
      </ul>
      <div className="form-actions">
        <Button
          icon={Send}
          variant="primary"
          isDisabled={!canSend || chosen.size === 0}
          isPending={data.busy}
          onPress={onSend}
        >
          {t('overlay.send')}
        </Button>
        <Button
          icon={X}
          isDisabled={chosen.size === 0 || data.busy}
          onPress={() => void data.clearWhatever([...chosen])}
        >
          {t('overlay.clearChosen')}
        </Button>
        {!canSend && <p className="field-hint">{t('overlay.needAddress')}</p>}
        {canSend && chosen.size === 0 && <p className="field-hint">{t('overlay.needScreen')}</p>}
      </div>
    </Section>
  );
}

const toneOf: Readonly<Record<Arrival['status'], Tone | undefined>> = {
  waiting: undefined,
  sent: 'info',
  shown: 'good',
  failed: 'bad',
  offline: 'warn',
  cleared: undefined,
};

function Arrivals({ data }: { data: OverlayData }) {
  const { t } = useTranslation();
  const standing = data.arrivals.filter(({ status }) => status !== 'cleared' && status !== 'waiting');
  return (
    <Section
      title={t('overlay.arrivals')}
      actions={
        standing.length > 1 && (
          <Button size="small" isDisabled={data.busy} onPress={() => void data.clear(standing)}>
            {t('overlay.clearAll')}
          </Button>
        )
      }
    >
      <ul className="overlay-arrivals" aria-live="polite">
        {data.arrivals.map((row) => (
          <li key={row.id}>
            <div>
              <strong>{row.name}</strong>
              <small>{row.error ?? t(`overlay.statusHelp.${row.status}`)}</small>
            </div>
            <Badge tone={toneOf[row.status]}>
              {row.status === 'waiting' && <Spinner />}
              {t(`overlay.status.${row.status}`)}
            </Badge>
            {standing.includes(row) && (
              <Button
                size="small"
                isDisabled={data.busy}
                onPress={() => void data.clear([row])}
                aria-label={t('overlay.clearOn', { name: row.name })}
              >
                {t('overlay.clear')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
