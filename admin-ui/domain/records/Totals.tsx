import type { ReactNode } from 'react';
import './Totals.css';

export type Total = readonly [name: string, value: string, more?: string | null | undefined];

/**
 * Shows the totals of a report, each with its name. `children` are shown before the totals; each child is a `div` with
 * `dt` and `dd`.
 */
export function Totals({ totals, children }: { totals: readonly Total[]; children?: ReactNode }) {
  return (
    <dl className="report-totals card">
      {children}
      {totals.map(([name, value, more]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            {more && <small>{more}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
