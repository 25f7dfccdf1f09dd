import { useTranslation } from 'react-i18next';
import type { Device } from '../../../shared/contract/devices.ts';
import { useNow } from '../../components/useNow.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';
import { hoursAt, laterInWords } from '../../parts/hours.utils.ts';

/** Says why a panel is off and until when: outside its opening hours, or turned off by a user. */
export function PanelOff({ screen }: { screen: Pick<Device, 'opening_hours' | 'timezone'> }) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const now = useNow() * 1000;
  const { open, until } = hoursAt(screen, now);
  // A panel that was turned off by a user stays off until the end of the opening hours, and is closed afterwards
  // anyway.
  const opens = open && until !== null ? hoursAt(screen, until).until : until;
  if (opens === null) return open ? t('hours.turnedOff') : t('hours.closed');
  const when = laterInWords(opens, now, screen.timezone, locale);
  return open ? t('hours.turnedOffUntil', { when }) : t('hours.closedUntil', { when });
}
