import { useTranslation } from 'react-i18next';
import type { Store, StoreTrouble } from '../../../../shared/contract/headquarters/stores.ts';
import { useNow } from '../../../components/hooks/useNow.ts';
import { useFormat } from '../../../i18n/useFormat.ts';

/** Maximum number of screens that a sentence names. Further screens are only counted. */
export const NAMED = 5;

/** Returns a function that describes a problem of a store in a sentence. */
export const useTroubleWords = () => {
  const { t } = useTranslation();
  const format = useFormat();
  const off = useClockWords();
  const namesOf = ({ dark_names: names, screens_dark: dark }: Store): string => {
    if (names.length === 0) return t('stores.darkUnnamed');
    const named = names.slice(0, NAMED);
    const more = (dark ?? named.length) - named.length;
    return format.list(more > 0 ? [...named, t('stores.darkMore', { count: more })] : named);
  };
  return (store: Store, trouble: StoreTrouble): string => {
    switch (trouble) {
      case 'incidents':
        return t('stores.says.incidents', { count: store.incidents });
      case 'line_down':
        return store.heard_at === null
          ? t('stores.says.line_never')
          : t('stores.says.line_down', { when: format.dateTime(store.heard_at) });
      case 'screens_dark':
        return t('stores.says.screens_dark', { count: store.screens_dark ?? 0, names: namesOf(store) });
      case 'campaign_refused':
        return t('stores.says.campaign_refused', { count: store.campaigns_refused });
      case 'campaign_late':
        return t('stores.says.campaign_late', { count: store.campaigns_late });
      case 'disk_low':
        return t('stores.says.disk_low', {
          free: format.bytes(store.disk_free_bytes ?? 0),
          total: format.bytes(store.disk_total_bytes ?? 0),
        });
      case 'clock_apart':
        return t('stores.says.clock_apart', { off: off(store.clock_seconds ?? 0) });
      case 'screens_behind':
        return t('stores.says.screens_behind', { count: store.screens_behind ?? 0 });
      case 'plays_waiting':
        return t('stores.says.plays_waiting', { count: store.waiting ?? 0 });
      default:
        return trouble satisfies never;
    }
  };
};

/**
 * Returns a function that describes the error of a store's clock: "12 sec ahead".
 * @param seconds ahead of headquarters' clock
 */
export const useClockWords = () => {
  const { t } = useTranslation();
  const format = useFormat();
  return (seconds: number): string => {
    const time = format.span(Math.abs(seconds));
    return seconds >= 0 ? t('stores.ahead', { time }) : t('stores.late', { time });
  };
};

/** Returns a function that says since when the store has its present connection state. */
export const useLineSince = () => {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  return ({ line, heard_at, left_at, code_expires_at }: Store): string => {
    switch (line) {
      case 'up':
        return heard_at === null ? '' : t('stores.upSince', { ago: format.ago(heard_at, now) });
      case 'down':
        return heard_at === null ? t('stores.neverHeard') : t('stores.downSince', { ago: format.ago(heard_at, now) });
      case 'new':
        return code_expires_at !== null && code_expires_at > now
          ? t('stores.codeUntil', { date: format.date(code_expires_at) })
          : t('stores.noCode');
      case 'left':
        return left_at === null ? '' : t('stores.leftOn', { date: format.date(left_at) });
      default:
        return line satisfies never;
    }
  };
};
