import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getDeviceTelemetry } from '../../../shared/contract/screens/devices.ts';
import { client } from '../../api/requests/client.ts';
import { Segments } from '../../components/choices/Choices.tsx';
import { Bone, Section } from '../../components/frame/Page.tsx';
import { useNow } from '../../components/hooks/useNow.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import {
  extremes,
  type Frame,
  gapOf,
  nearest,
  type Point,
  pathOf,
  rangeOf,
  type SeriesName,
  seriesOf,
  xOf,
  yOf,
} from './chart.utils.ts';

const ranges = { day: 24, week: 168, month: 720 } as const;
type Range = keyof typeof ranges;

/** History of the values that the player reported, one small chart per value. */
export function ScreenCharts({ id }: { id: string }) {
  const { t } = useTranslation();
  const [range, setRange] = useState<Range>('day');
  const hours = ranges[range];
  const now = useNow();
  const query = useQuery({
    queryKey: ['devices', 'telemetry', id, hours],
    queryFn: ({ signal }) =>
      client.call(getDeviceTelemetry, { params: { id }, query: { hours: String(hours) }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
  const series = seriesOf(query.data ?? []);
  return (
    <Section
      title={t('telemetry.title')}
      actions={
        <Segments
          label={t('telemetry.range')}
          value={range}
          onChange={setRange}
          options={(Object.keys(ranges) as Range[]).map((value) => ({ value, label: t(`telemetry.ranges.${value}`) }))}
        />
      }
    >
      {query.isPending && <Bone height="9rem" radius="var(--r-l)" />}
      {query.isSuccess && series.length === 0 && <p className="field-hint">{t('telemetry.none')}</p>}
      <div className="charts">
        {series.map(({ name, points }) => (
          <LineChart key={name} name={name} points={points} hours={hours} now={now} />
        ))}
      </div>
    </Section>
  );
}

type LineChartProps = { name: SeriesName; points: readonly Point[]; hours: number; now: number };

function LineChart({ name, points, hours, now }: LineChartProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [looked, setLooked] = useState<number>();
  const [min, max] = rangeOf[name];
  const frame: Frame = { from: now - hours * 3600, until: now, min, max };
  const latest = points.at(-1);
  const shown = (looked === undefined ? undefined : nearest(points, looked)) ?? latest;
  if (!shown || !latest) return null;
  const write = (value: number) => (name === 'wifi' ? `${format.number(value)} dBm` : format.percent(value / 100));
  const { min: low, max: high } = extremes(points);
  const when = (at: number) => (hours > 24 ? format.dateTime(at) : format.time(at));
  return (
    <figure className="chart">
      <figcaption>
        <span>{t(`telemetry.series.${name}`)}</span>
        <strong>{write(shown.value)}</strong>
        <small>{looked === undefined ? t('telemetry.latest') : when(shown.at)}</small>
      </figcaption>
      <svg
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        role="img"
        aria-label={t('telemetry.summary', {
          name: t(`telemetry.series.${name}`),
          low: write(low),
          high: write(high),
          latest: write(latest.value),
        })}
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          setLooked(frame.from + ((event.clientX - box.left) / box.width) * (frame.until - frame.from));
        }}
        onPointerLeave={() => setLooked(undefined)}
      >
        {[0, 50, 100].map((y) => (
          <line key={y} x1="0" x2="100" y1={y} y2={y} className="chart-rule" />
        ))}
        <path d={pathOf(points, frame, gapOf(hours))} className="chart-line" />
        {looked !== undefined && (
          <path
            d={`M${xOf(shown.at, frame)} 0V100M${xOf(shown.at, frame)} ${yOf(shown.value, frame)}h0.01`}
            className="chart-look"
          />
        )}
      </svg>
      <div className="chart-foot" aria-hidden>
        <span>{when(frame.from)}</span>
        <span>{t('telemetry.between', { low: write(low), high: write(high) })}</span>
        <span>{t('telemetry.now')}</span>
      </div>
    </figure>
  );
}
