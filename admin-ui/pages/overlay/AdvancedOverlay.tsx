import { ChevronRight, Send, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/controls/Button.tsx';
import { Spinner } from '../../components/controls/Spinner.tsx';
import { Badge, Section, type Tone } from '../../components/frame/Page.tsx';
import { type Target, TargetPicker } from '../../domain/screens/TargetPicker.tsx';
import { worded } from '../../i18n/sentences.ts';
import '../../components/frame/maker.css';
import { OverlayForm } from './OverlayForm.tsx';
import { OverlayStage } from './OverlayStage.tsx';
import './overlay.css';
import { type Arrival, blank, hasAddress } from './overlay.utils.ts';
import { type OverlayData, useOverlayData } from './useOverlayData.ts';

/** Form for an overlay from the local network: a web page or picture of another system, given by its address. */
export function AdvancedOverlay() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <details className="overlay-advanced" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <ChevronRight aria-hidden />
        {t('message.advanced')}
      </summary>
      <p className="field-hint">{t('message.advancedLead')}</p>
      {open && <Composer />}
    </details>
  );
}

function Composer() {
  const { t } = useTranslation();
  const data = useOverlayData();
  const [overlay, setOverlay] = useState(blank);
  const [targets, setTargets] = useState<readonly Target[]>([]);
  return (
    <div className="maker">
      <fieldset className="maker-form" aria-label={t('overlay.compose')}>
        <OverlayForm overlay={overlay} onChange={(part) => setOverlay((now) => ({ ...now, ...part }))} />
      </fieldset>
      <div className="overlay-side">
        <OverlayStage overlay={overlay} targets={targets} />
        <Targets
          data={data}
          targets={targets}
          onChange={setTargets}
          canSend={hasAddress(overlay.uri)}
          onSend={() => void data.send(overlay, targets)}
        />
        {data.arrivals.length > 0 && <Arrivals data={data} />}
      </div>
    </div>
  );
}

type TargetsProps = {
  data: OverlayData;
  targets: readonly Target[];
  onChange: (targets: readonly Target[]) => void;
  canSend: boolean;
  onSend: () => void;
};

function Targets({ data, targets, onChange, canSend, onSend }: TargetsProps) {
  const { t } = useTranslation();
  const hasTarget = targets.length > 0;
  return (
    <Section title={t('overlay.where')}>
      <TargetPicker
        label={t('message.where')}
        value={targets}
        onChange={onChange}
        kinds={['group', 'device']}
        max={50}
      />
      <div className="form-actions">
        <Button icon={Send} isDisabled={!canSend || !hasTarget} isPending={data.busy} onPress={onSend}>
          {t('overlay.send')}
        </Button>
        <Button icon={X} isDisabled={!hasTarget || data.busy} onPress={() => void data.clearWhatever(targets)}>
          {t('overlay.clearChosen')}
        </Button>
        {!canSend && <p className="field-hint">{t('overlay.needAddress')}</p>}
        {canSend && !hasTarget && <p className="field-hint">{t('overlay.needScreen')}</p>}
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
              <small>{row.error ? worded(row.error) : t(`overlay.statusHelp.${row.status}`)}</small>
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
