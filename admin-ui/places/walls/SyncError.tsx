import { useTranslation } from 'react-i18next';
import type { Wall } from '../../../shared/contract/walls.ts';
import { Badge } from '../../components/Page.tsx';
import { useFormat } from '../../i18n/useFormat.ts';

/** A frame of a usual screen: what stays below is in step for the eye. */
const FRAME_MS = 16.7;
const TWICE_MS = 34;

/** How far the panels are from their common clock, by their own measure. */
export function SyncError({ sync, short = false }: { sync: Wall['sync']; short?: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { error_p50_ms: half, error_p99_ms: nearly, panels } = sync;
  if (half === null || nearly === null) return short ? null : <p className="field-hint">{t('wall.syncUnknown')}</p>;
  const tone = nearly <= FRAME_MS ? 'good' : nearly <= TWICE_MS ? 'warn' : 'bad';
  const ms = (value: number) => t('wall.ms', { value: format.number(value, 1) });
  const judged = (
    <Badge tone={tone} dot>
      {t(`wall.sync.${tone}`)}
    </Badge>
  );
  if (short) return judged;
  return (
    <div className="sync">
      <div className="sync-head">{judged}</div>
      <dl>
        <div>
          <dt>{t('wall.syncHalf')}</dt>
          <dd>{ms(half)}</dd>
        </div>
        <div>
          <dt>{t('wall.syncNearly')}</dt>
          <dd>{ms(nearly)}</dd>
        </div>
      </dl>
      <small>{t('wall.syncPanels', { count: panels })}</small>
    </div>
  );
}
