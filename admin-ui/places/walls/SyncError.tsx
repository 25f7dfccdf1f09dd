import { useTranslation } from 'react-i18next';
import type { Wall } from '../../../shared/contract/walls.ts';
import { Badge } from '../../components/Page.tsx';
import { useFormat } from '../../i18n/useFormat.ts';

/** A frame of a usual screen: what stays below is in step for the eye. */
const FRAME_MS = 16.7;
const TWICE_MS = 34;

/** The same picture for so much of the time, and for nearly all of it no further apart than a frame of a film: in step for the eye. */
const GOOD_SHARE = 0.75;
const FILM_FRAME_MS = 42;

/** How far the panels of a wall are from each other; where they do not tell what they show, from their common clock. */
export function SyncError({ sync, short = false }: { sync: Wall['sync']; short?: boolean }) {
  return sync.apart ? <Apart apart={sync.apart} short={short} /> : <OwnError sync={sync} short={short} />;
}

function Apart({ apart, short }: { apart: NonNullable<Wall['sync']['apart']>; short: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { same_share: same, apart_p50_ms: half, apart_p99_ms: nearly, change_p99_ms: change, panels } = apart;
  const tone = nearly <= FILM_FRAME_MS && same >= GOOD_SHARE ? 'good' : nearly <= 2 * FILM_FRAME_MS ? 'warn' : 'bad';
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
          <dt>{t('wall.syncSame')}</dt>
          <dd>{format.percent(same)}</dd>
        </div>
        <div>
          <dt>{t('wall.syncHalf')}</dt>
          <dd>{ms(half)}</dd>
        </div>
        <div>
          <dt>{t('wall.syncNearly')}</dt>
          <dd>{ms(nearly)}</dd>
        </div>
        {change !== null && (
          <div>
            <dt>{t('wall.syncChanges')}</dt>
            <dd>{ms(change)}</dd>
          </div>
        )}
      </dl>
      <small>{t('wall.syncCompared', { count: panels })}</small>
    </div>
  );
}

/** By the panels' own measure, which does not see what the others show. */
function OwnError({ sync, short }: { sync: Wall['sync']; short: boolean }) {
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
