import { useTranslation } from 'react-i18next';
import type { Device } from '../../../shared/contract/screens/devices.ts';
import {
  GAUGES,
  type GaugedField,
  MEGABYTE,
  type MeasuredField,
  TELEMETRY,
} from '../../../shared/protocol/telemetry.ts';
import { Progress } from '../../components/frame/Page.tsx';
import { useFormat } from '../../i18n/useFormat.ts';
import { signalOf } from './screens.utils.ts';

/** A value as text, with an optional note. `share`: length of a bar, from 0 to 1. */
type Drawn = { value: string; note?: string | undefined; share?: number; tone?: 'bad' };

function Gauge({ label, value, note, share, tone }: Drawn & { label: string }) {
  return (
    <div className="gauge">
      <dt>{label}</dt>
      <dd>
        <strong>{value}</strong>
        {share !== undefined && <Progress share={share} label={label} {...(tone && { tone })} />}
        {note && <small>{note}</small>}
      </dd>
    </div>
  );
}

/** Share from which on a value is marked as nearly full. */
const NEARLY_FULL = 0.9;

type Draw<F extends GaugedField> = (value: NonNullable<Device[F]>) => Drawn | undefined;
/** Functions for values that are shown as more than a number with a unit. */
type Special = { [F in Exclude<GaugedField, MeasuredField>]: Draw<F> } & {
  [F in GaugedField & MeasuredField]?: Draw<F>;
};

/** The values of the player's last report, without values that its platform cannot measure. */
export function ScreenHealth({ screen }: { screen: Device }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (screen.last_heartbeat === null) return <p className="field-hint">{t('screen.notReported')}</p>;
  const used = (share: number): Drawn => ({
    value: format.percent(share),
    share,
    ...(share > NEARLY_FULL && { tone: 'bad' }),
  });
  const measured = (value: number, unit: (typeof TELEMETRY)[MeasuredField]['unit']): Drawn => {
    if (unit === 'percent') return used(value / 100);
    return { value: unit === 'second' ? format.span(value) : format.unit(value, unit) };
  };
  const space = (free: number, total: number | null) =>
    total === null
      ? undefined
      : { ...used(total > 0 ? 1 - free / total : 0), note: t('screen.free', { size: format.bytes(free * MEGABYTE) }) };
  const rssi = screen.wifi_rssi;
  const special: Special = {
    ram_free_mb: (free) => space(free, screen.ram_total_mb),
    storage_free_mb: (free) => space(free, screen.storage_total_mb),
    wifi_ssid: (ssid) => ({
      value: ssid === 'permission' ? t('screen.wifiUnnamed') : ssid,
      note: rssi === null ? undefined : `${t(`screen.signal.${signalOf(rssi)}`)} · ${format.number(rssi)} dBm`,
    }),
    battery_level: (level) => ({
      value: format.percent(level / 100),
      share: level / 100,
      note: screen.battery_charging === 1 ? t('screen.charging') : undefined,
    }),
  };
  const drawn = (field: GaugedField): Drawn | undefined => {
    const value = screen[field];
    if (value === null) return;
    const draw = special[field];
    return draw ? draw(value as never) : measured(value as number, TELEMETRY[field as MeasuredField].unit);
  };
  return (
    <dl className="gauges">
      {GAUGES.map((field) => {
        const gauge = drawn(field);
        return gauge && <Gauge key={field} label={t(`screen.gauge.${field}`)} {...gauge} />;
      })}
    </dl>
  );
}
