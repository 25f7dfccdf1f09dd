import { useTranslation } from 'react-i18next';
import type { Valid } from '../../../shared/contract/content/validity.ts';
import { useNow } from '../../components/hooks/useNow.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';
import { standingInWords, standingOf } from './validity.utils.ts';
import './Standing.css';

/**
 * Shows whether a record is not yet valid, has expired, or expires soon, by the server's clock and the time zone of
 * this browser. Shows nothing otherwise.
 */
export function Standing({ valid }: { valid: Valid }) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const now = useNow() * 1000;
  const standing = standingOf(valid, now - new Date(now).getTimezoneOffset() * 60_000);
  if (!standing) return null;
  return <span className={`standing ${standing.kind}`}>{standingInWords(standing, { t, locale })}</span>;
}
