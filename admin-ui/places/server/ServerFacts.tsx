import { useTranslation } from 'react-i18next';
import type { ServerStatus } from '../../../shared/contract/upkeep.ts';
import { CopyField } from '../../components/CopyField.tsx';
import { Facts } from '../../components/Facts.tsx';

import { copyText } from '../../data/copy.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { ServerCard } from './ServerCard.tsx';
import { readableFingerprint } from './server.utils.ts';

export function ServerFacts({ status }: { status: ServerStatus }) {
  const { t } = useTranslation();
  const format = useFormat();
  const facts: readonly (readonly [string, string])[] = [
    [t('server.version'), t('server.versionOn', { version: status.version, node: status.node_version, platform: status.platform })],
    [t('server.runningFor'), format.span(status.uptime_seconds)],
    [t('server.screens'), t('server.screensOnline', { online: format.number(status.screens_online), total: format.number(status.screens_total) })],
    [t('server.memory'), format.bytes(status.memory_bytes)],
    [t('server.fingerprint'), readableFingerprint(status.fingerprint)],
  ];
  return (
    <ServerCard part="reach" title={t('server.reach')} lead={t('server.reachLead')}>
      {status.addresses.map((address, i) => (
        <CopyField key={address} label={i === 0 ? t('server.address') : t('server.otherAddress')} value={address} onCopy={copyText} />
      ))}
      <Facts facts={facts} />
    </ServerCard>
  );
}
