import { useTranslation } from 'react-i18next';
import type { Device } from '../../../shared/contract/screens/devices.ts';
import { Facts } from '../../components/frame/Facts.tsx';
import { useNow } from '../../components/hooks/useNow.ts';
import { useFormat } from '../../i18n/useFormat.ts';

export function ScreenFacts({ screen }: { screen: Device }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const facts: [string, string | null][] = [
    [t('screen.size'), screen.screen_width > 0 ? `${screen.screen_width} × ${screen.screen_height}` : null],
    [t('screen.platform'), screen.platform || null],
    [t('screen.version'), screen.version || null],
    [t('common.address'), [screen.local_ip ?? screen.ip_address, screen.local_ip6].filter(Boolean).join(', ') || null],
    [t('screen.connectedSince'), format.date(screen.created_at)],
    [t('screen.lastHeard'), screen.last_heartbeat === null ? null : format.ago(screen.last_heartbeat, now)],
  ];
  return <Facts facts={facts} />;
}
