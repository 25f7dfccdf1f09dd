import { useTranslation } from 'react-i18next';
import type { Device } from '../../../shared/contract/screens/devices.ts';
import { useNow } from '../../components/hooks/useNow.ts';
import { hoursAt, laterInWords } from '../../domain/screens/hours.utils.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';

/** Says why a panel is off and until when: outside its opening hours, or turned off by a person. */
export function PanelOff({ screen }: { screen: Pick<Device, 'opening_hours' | 'timezone'> }) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const now = useNow() * 1000;
  const { open, until } = hoursAt(screen, now);
  // Turning off by hand lasts until the end of the opening hours, when the panel is closed anyway.
  const opens = open && until !== null ? hoursAt(screen, until).until : until;
  if (opens === null) return open ? t('hours.turnedOff') : t('hours.closed');
  const when = laterInWords(opens, now, screen.timezone, locale);
  return open ? t('hours.turnedOffUntil', { when }) : t('hours.closedUntil', { when });
}
