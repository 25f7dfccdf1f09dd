import { useTranslation } from 'react-i18next';
import type { Device } from '../../../shared/contract/screens/devices.ts';
import { useNow } from '../../components/hooks/useNow.ts';
import { hoursAt, laterInWords } from '../../domain/screens/hours.utils.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';

/** Says why a panel is off, and until when: it is outside its opening hours, or somebody turned it off. */
export function PanelOff({ screen }: { screen: Pick<Device, 'opening_hours' | 'timezone'> }) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const now = useNow() * 1000;
  const { open, until } = hoursAt(screen, now);
  // A panel that was turned off by hand stays off until the end of the opening hours. It is closed then anyway, so it
  // turns on when it opens again.
  const opens = open && until !== null ? hoursAt(screen, until).until : until;
  if (opens === null) return open ? t('hours.turnedOff') : t('hours.closed');
  const when = laterInWords(opens, now, screen.timezone, locale);
  return open ? t('hours.turnedOffUntil', { when }) : t('hours.closedUntil', { when });
}
