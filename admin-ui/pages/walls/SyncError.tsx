import { useTranslation } from 'react-i18next';
import type { Wall } from '../../../shared/contract/screens/walls.ts';
import { Badge } from '../../components/frame/Page.tsx';
import { useFormat } from '../../i18n/useFormat.ts';

/** Duration of a frame in milliseconds on a usual screen. A smaller difference is not visible. */
const FRAME_MS = 16.7;
const TWICE_MS = 34;

/**
 * Limits for a good rating: all panels show the same picture for at least this share of the time, and their pictures
 * are nearly always less than one video frame apart.
 */
const GOOD_SHARE = 0.75;
const FILM_FRAME_MS = 42;

/**
 * Shows the time differences between the pictures of a wall's panels. Without reports about their pictures, shows
 * the differences of their clocks.
 */
export function SyncError({ sync, short = false }: { sync: Wall['sync']; short?: boolean }) {
  return sync.apart ? <Apart apart={sync.apart} short={short} /> : <OwnError sync={sync} short={short} />;
}

function Apart({ apart, short }: { apart: NonNullable<Wall['sync']['apart']>; short: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { same_share: same, apart_p50_ms: half, apart_p99_ms: nearly, change_p99_ms: change, panels } = apart;
  const tone = nearly <= FILM_FRAME_MS && same >= GOOD_SHARE ? 'good' : nearly <= 2 * FILM_FRAME_MS ? 'warn' : 'bad';
  const times = { syncHalf: half, syncNearly: nearly, ...(change !== null && { syncChanges: change }) };
  return (
    <Judged
      tone={tone}
      short={short}
      same={format.percent(same)}
      times={times}
      note={t('wall.syncCompared', { count: panels })}
    />
  );
}

/** The panels' own measurements, which do not compare the pictures of panels. */
function OwnError({ sync, short }: { sync: Wall['sync']; short: boolean }) {
  const { t } = useTranslation();
  const { error_p50_ms: half, error_p99_ms: nearly, panels } = sync;
  if (half === null || nearly === null) return short ? null : <p className="field-hint">{t('wall.syncUnknown')}</p>;
  const tone = nearly <= FRAME_MS ? 'good' : nearly <= TWICE_MS ? 'warn' : 'bad';
  return (
    <Judged
      tone={tone}
      short={short}
      times={{ syncHalf: half, syncNearly: nearly }}
      note={t('wall.syncPanels', { count: panels })}
    />
  );
}

interface Judgement {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly short: boolean;
  /** The share of time in which all panels show the same picture, in words. */
  readonly same?: string;
  /** Measured times in milliseconds, by text key. */
  readonly times: Partial<Record<'syncHalf' | 'syncNearly' | 'syncChanges', number>>;
  readonly note: string;
}

function Judged({ tone, short, same, times, note }: Judgement) {
  const { t } = useTranslation();
  const format = useFormat();
  const badge = (
    <Badge tone={tone} dot>
      {t(`wall.sync.${tone}`)}
    </Badge>
  );
  if (short) return badge;
  return (
    <div className="sync">
      <div className="sync-head">{badge}</div>
      <dl>
        {same !== undefined && (
          <div>
            <dt>{t('wall.syncSame')}</dt>
            <dd>{same}</dd>
          </div>
        )}
        {Object.entries(times).map(([name, value]) => (
          <div key={name}>
            <dt>{t(`wall.${name as keyof typeof times}`)}</dt>
            <dd>{t('wall.ms', { value: format.number(value, 1) })}</dd>
          </div>
        ))}
      </dl>
      <small>{note}</small>
    </div>
  );
}
