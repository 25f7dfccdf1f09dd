import { type CSSProperties, useId } from 'react';
import './BarChart.css';

export type Bar = {
  readonly key: string | number;
  /** The value as a whole sentence: "Monday, 9 March: 120 plays". For screen readers, and shown over the bar. */
  readonly text: string;
  /** Label below the bar; absent if the bar has no room for it. */
  readonly tick?: string | undefined;
  readonly value: number;
  /** Value for comparison, drawn fainter behind the bar. */
  readonly behind?: number;
};

type BarChartProps = {
  title: string;
  bars: readonly Bar[];
  /** Grid lines from 0 up. The last grid line is at or above the largest value. */
  lines: readonly { value: number; label: string }[];
};

/** Bar chart. Screen readers read a sentence per bar, and the pointer over a bar shows the sentence. */
export function BarChart({ title, bars, lines }: BarChartProps) {
  const id = useId();
  const top = lines.at(-1)?.value || 1;
  const at = (value: number) => ({ '--at': value / top }) as CSSProperties;
  return (
    <div className="bar-chart">
      <div className="chart-lines" aria-hidden>
        {lines.map(({ value, label }) => (
          <span key={value} style={at(value)}>
            {label}
          </span>
        ))}
      </div>
      <h3 id={id} className="visually-hidden">
        {title}
      </h3>
      <ol className={bars.length > 45 ? 'chart-bars dense' : 'chart-bars'} aria-labelledby={id}>
        {bars.map((bar, i) => (
          <li key={bar.key} style={at(bar.value)} className={i >= bars.length / 2 ? 'late' : undefined}>
            {bar.behind !== undefined && <span className="chart-bar behind" style={at(bar.behind)} aria-hidden />}
            <span className="chart-bar" aria-hidden />
            <span className="chart-tip">{bar.text}</span>
            {bar.tick !== undefined && (
              <span className="chart-tick" aria-hidden>
                {bar.tick}
              </span>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
