import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { renderWidget } from '../../../shared/contract/content/widgets.ts';
import { kioskPagesQuery, kioskPath } from '../../api/kiosk.ts';
import { client } from '../../api/requests/client.ts';
import { useReachableOrigin } from '../../api/requests/origin.ts';
import { widgetsQuery } from '../../api/widgets.ts';
import { Segments, Switch } from '../../components/choices/Choices.tsx';
import { Select } from '../../components/choices/Select.tsx';
import { ColorField } from '../../components/fields/ColorField.tsx';
import { NumberField } from '../../components/fields/NumberField.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { Section } from '../../components/frame/Page.tsx';
import { useFormat } from '../../i18n/useFormat.ts';
import { type Composed, durations, hasAddress, positions } from './overlay.utils.ts';

const SCHEME = 'http://';

type FormProps = { overlay: Composed; onChange: (part: Partial<Composed>) => void };

export function OverlayForm({ overlay, onChange }: FormProps) {
  const { t } = useTranslation();
  return (
    <>
      <div className="form">
        <Segments
          label={t('overlay.type')}
          value={overlay.type}
          onChange={(type) => onChange({ type })}
          options={[
            { value: 'image', label: t('overlay.types.image') },
            { value: 'web', label: t('overlay.types.web') },
          ]}
        />
        {overlay.type === 'web' && <OwnPages uri={overlay.uri} onChange={(uri) => onChange({ uri })} />}
        <TextField
          label={t('common.address')}
          hint={t(`overlay.uriHint.${overlay.type}`)}
          placeholder={SCHEME}
          value={overlay.uri}
          onChange={(uri) => onChange({ uri: uri.trim() })}
          error={overlay.uri && !hasAddress(overlay.uri) ? t('kiosk.noUrl') : undefined}
        />
        <TextField
          label={t('overlay.title')}
          placeholder={t('overlay.titlePlaceholder')}
          value={overlay.title}
          onChange={(title) => onChange({ title })}
          maxLength={200}
        />
        <DurationChoice seconds={overlay.duration} onChange={(duration) => onChange({ duration })} />
      </div>
      <Section title={t('overlay.look')}>
        <PositionField overlay={overlay} onChange={onChange} />
        <div className="form pairs">
          <NumberField
            label={t('overlay.width')}
            value={overlay.width}
            min={40}
            max={3840}
            step={10}
            unit="px"
            onChange={(width) => width !== null && onChange({ width })}
          />
          <NumberField
            label={t('overlay.height')}
            value={overlay.height}
            min={40}
            max={3840}
            step={10}
            unit="px"
            onChange={(height) => height !== null && onChange({ height })}
          />
          <ColorField
            label={t('layout.background')}
            value={overlay.background_color}
            onChange={(background_color) => onChange({ background_color })}
          />
          <ColorField
            label={t('overlay.titleColor')}
            value={overlay.title_color}
            onChange={(title_color) => onChange({ title_color })}
          />
          <NumberField
            label={t('overlay.radius')}
            value={overlay.border_radius}
            min={0}
            max={512}
            unit="px"
            onChange={(radius) => onChange({ border_radius: radius ?? 0 })}
          />
          <OpacityField value={overlay.opacity} onChange={(opacity) => onChange({ opacity })} />
        </div>
        <Switch
          hint={t('overlay.closeHint')}
          isSelected={overlay.close_button}
          onChange={(close_button) => onChange({ close_button })}
        >
          {t('overlay.close')}
        </Switch>
      </Section>
    </>
  );
}

const NONE = 'none';

/** Select with the addresses of the workspace's own widgets and kiosk pages. */
function OwnPages({ uri, onChange }: { uri: string; onChange: (uri: string) => void }) {
  const { t } = useTranslation();
  const widgets = useQuery(widgetsQuery).data ?? [];
  const pages = useQuery(kioskPagesQuery).data ?? [];
  const origin = useReachableOrigin();
  const own = [
    ...widgets.map(({ id, name, widget_type }) => ({
      value: `${origin}${client.url(renderWidget, { id })}`,
      label: name,
      hint: t(`widgets.type.${widget_type}`),
    })),
    ...pages.map(({ id, name }) => ({ value: `${origin}${kioskPath(id)}`, label: name, hint: t('kiosk.one') })),
  ];
  // Without an address for other machines, screens could not open these pages.
  if (own.length === 0 || origin === undefined) return null;
  return (
    <Select
      label={t('overlay.own')}
      value={own.some(({ value }) => value === uri) ? uri : NONE}
      options={[{ value: NONE, label: t('overlay.ownNone') }, ...own]}
      onChange={(value) => onChange(value === NONE ? '' : value)}
    />
  );
}

function DurationChoice({ seconds, onChange }: { seconds: number; onChange: (seconds: number) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const listed = durations.some((one) => one === seconds);
  const name = (one: number) => (one === 0 ? t('overlay.untilCleared') : format.span(one));
  return (
    <div className="form pairs">
      <Select
        label={t('overlay.duration')}
        value={listed ? String(seconds) : 'own'}
        onChange={(chosen) => onChange(chosen === 'own' ? 90 : Number(chosen))}
        options={[
          ...durations.map((one) => ({ value: String(one), label: name(one) })),
          { value: 'own', label: t('overlay.ownDuration') },
        ]}
      />
      {!listed && (
        <NumberField
          label={t('overlay.seconds')}
          value={seconds}
          min={1}
          max={86_400}
          unit="s"
          onChange={(own) => own !== null && onChange(own)}
        />
      )}
    </div>
  );
}

function PositionField({ overlay, onChange }: FormProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="overlay-positions">
      <legend>{t('overlay.position')}</legend>
      {positions.map((position) => (
        <label key={position} className={position} title={t(`overlay.positions.${position}`)}>
          <input
            type="radio"
            name="position"
            checked={overlay.position === position}
            onChange={() => onChange({ position })}
          />
          <span className="visually-hidden">{t(`overlay.positions.${position}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}

function OpacityField({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <label className="field range-field">
      <span className="field-label">
        {t('overlay.opacity')}
        <output>{format.percent(value)}</output>
      </span>
      <input
        type="range"
        min={0.05}
        max={1}
        step={0.05}
        value={value}
        onChange={(event) => onChange(Number(event.target.value))}
      />
    </label>
  );
}
