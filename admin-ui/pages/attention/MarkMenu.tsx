import { BellOff, BellRing, UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { BodyOf } from '../../../shared/contract/endpoint.ts';
import type { markAlerts } from '../../../shared/contract/server/alerts.ts';
import { MenuItem, RowMenu } from '../../components/choices/Menu.tsx';
import { useNow } from '../../components/hooks/useNow.ts';

export type Change = Omit<BodyOf<typeof markAlerts>, 'ids' | 'kind'>;

type MarkMenuProps = {
  /** Name of the alert's subject. */
  name: string;
  isMuted: boolean;
  onMark: (change: Change) => void;
  onGive: () => void;
};

const HOUR = 3_600;
const DAY = 86_400;

/** Menu with the rare actions on an alert: assign it, or mute it for a while. */
export function MarkMenu({ name, isMuted, onMark, onGive }: MarkMenuProps) {
  const { t } = useTranslation();
  const now = useNow();
  const mute = (until: number | null) => onMark({ muted_until: until });
  const morning = new Date((now + DAY) * 1000).setHours(6, 0, 0, 0) / 1000;
  return (
    <RowMenu
      label={t('attention.more', { name })}
      items={() => (
        <>
          <MenuItem icon={UserRound} onAction={onGive}>
            {t('attention.give')}
          </MenuItem>
          <MenuItem icon={BellOff} onAction={() => mute(now + HOUR)}>
            {t('attention.muteFor.hour')}
          </MenuItem>
          <MenuItem icon={BellOff} onAction={() => mute(morning)}>
            {t('attention.muteFor.tomorrow')}
          </MenuItem>
          <MenuItem icon={BellOff} onAction={() => mute(now + 7 * DAY)}>
            {t('attention.muteFor.week')}
          </MenuItem>
          {isMuted ? (
            <MenuItem icon={BellRing} onAction={() => mute(null)}>
              {t('attention.unmute')}
            </MenuItem>
          ) : null}
        </>
      )}
    />
  );
}
