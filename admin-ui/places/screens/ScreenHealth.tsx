import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../../shared/contract/devices.ts';
import { Progress } from '../../components/Page.tsx';
import { useFormat } from '../../i18n/useFormat.ts';
import { signalOf } from './screens.utils.ts';

type GaugeProps = { label: string; value: ReactNode; note?: string | undefined; share?: number; tone?: 'bad' };

function Gauge({ label, value, note, share, tone }: GaugeProps) {
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

/** From here on it is worth a look. */
const NEARLY_FULL = 0.9;

/** What the player last reported. What its platform cannot tell is left out. */
export function ScreenHealth({ screen }: { screen: Device }) {
  const { t } = useTranslation();
  const format = useFormat();
  const MB = 1_000_000;
  const used = (free: number, total: number) => (total > 0 ? 1 - free / total : 0);
  const space = (label: string, free: number | null, total: number | null) => {
    if (free === null || total === null) return null;
    const share = used(free, total);
    return (
      <Gauge
        label={label}
        value={format.percent(share)}
        share={share}
        note={t('screen.free', { size: format.bytes(free * MB) })}
        {...(share > NEARLY_FULL && { tone: 'bad' as const })}
      />
    );
  };
  const { cpu_usage: cpu, wifi_ssid: ssid, wifi_rssi: rssi, battery_level: battery, uptime_seconds: uptime } = screen;
  if (screen.last_heartbeat === null) return <p className="field-hint">{t('screen.notReported')}</p>;
  return (
    <dl className="gauges">
      {cpu !== null && <Gauge label={t('screen.processor')} value={format.percent(cpu / 100)} share={cpu / 100} {...(cpu > NEARLY_FULL * 100 && { tone: 'bad' as const })} />}
      {space(t('screen.memory'), screen.ram_free_mb, screen.ram_total_mb)}
      {space(t('screen.storage'), screen.storage_free_mb, screen.storage_total_mb)}
      {ssid !== null && (
        <Gauge
          label={t('screen.wifi')}
          value={ssid === 'permission' ? t('screen.wifiUnnamed') : ssid}
          note={rssi === null ? undefined : `${t(`screen.signal.${signalOf(rssi)}`)} · ${format.number(rssi)} dBm`}
        />
      )}
      {battery !== null && (
        <Gauge label={t('screen.battery')} value={format.percent(battery / 100)} share={battery / 100} note={screen.battery_charging === 1 ? t('screen.charging') : undefined} />
      )}
      {uptime !== null && <Gauge label={t('screen.runningFor')} value={format.span(uptime)} />}
    </dl>
  );
}
