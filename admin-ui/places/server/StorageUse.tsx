import { useTranslation } from 'react-i18next';
import type { Storage } from '../../../shared/contract/upkeep.ts';

import { useFormat } from '../../i18n/useFormat.ts';
import { ServerCard } from './ServerCard.tsx';
import { diskParts } from './server.utils.ts';

export function StorageUse({ storage }: { storage: Storage }) {
  const { t } = useTranslation();
  const format = useFormat();
  const parts = diskParts(storage);
  const { growth_bytes_per_day: growth, full_in_days: fullIn } = storage;
  return (
    <ServerCard part="storage" title={t('server.storage')} lead={t('server.storageLead', { free: format.bytes(storage.free_bytes), total: format.bytes(storage.total_bytes) })}>
      <div className="disk" aria-hidden>
        {parts.map((part) => (
          <span key={part.key} className={`disk-part ${part.key}`} style={{ flexGrow: part.bytes }} />
        ))}
      </div>
      <ul className="disk-legend">
        {parts.map((part) => (
          <li key={part.key}>
            <span className={`disk-dot ${part.key}`} aria-hidden />
            {t(`server.disk.${part.key}`)}
            <strong>{format.bytes(part.bytes)}</strong>
          </li>
        ))}
      </ul>
      <p className="server-note">
        {growth === null ? t('server.growthUnknown') : t('server.growth', { bytes: format.bytes(Math.max(0, growth)) })}{' '}
        {fullIn !== null && t('server.fullIn', { count: Math.round(fullIn) })}
      </p>
      <p className="server-note path">{storage.path}</p>
    </ServerCard>
  );
}
