import { useTranslation } from 'react-i18next';
import type { DeviceDetail } from '../../../shared/contract/screens/devices.ts';
import { useNow } from '../../components/hooks/useNow.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { dayOf } from './status.utils.ts';

/** Bar with the online times of the last 24 hours. */
export function StatusDay({ log }: { log: DeviceDetail['status_log'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const { parts, onlineShare, outages } = dayOf(log, now);
  const said = t('history.online', { share: format.percent(onlineShare) });
  return (
    <figure className="status-day">
      <figcaption>
        <span>{t('history.day')}</span>
        <strong>{said}</strong>
        <small>{t('history.outages', { count: outages })}</small>
      </figcaption>
      <div className="status-line" role="img" aria-label={said}>
        {parts.map(({ from, to, status }) => (
          <span key={from} className={status} style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }} />
        ))}
      </div>
    </figure>
  );
}
