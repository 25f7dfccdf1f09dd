import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import type { Tone } from '../frame/Page.tsx';
import './StatFilter.css';

export interface Stat<V extends string> {
  readonly value: V;
  readonly label: string;
  /** The number as text; undefined while loading. */
  readonly number: string | undefined;
  /** Text for the total that includes the number. */
  readonly more?: string | undefined;
  /**
   * CSS class of the coloured mark in front of the label. Used if a chart beside the numbers shows the same count
   * with this mark.
   */
  readonly mark?: string | undefined;
  /** Tone of the number; absent if there is no problem. */
  readonly tone?: Tone | undefined;
}

type StatFilterProps<V extends string> = {
  label: string;
  stats: readonly Stat<V>[];
  /** The selected filter; undefined while the list is filtered in another way. */
  value: V | undefined;
  onChange: (value: V) => void;
};

/**
 * A row of numbers about a list; each number is a button that filters the list. The row is one Tab stop; arrow keys
 * move between the numbers.
 */
export function StatFilter<V extends string>({ label, stats, value, onChange }: StatFilterProps<V>) {
  return (
    <ToggleButtonGroup
      className="stat-filter"
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={value === undefined ? [] : [value]}
      onSelectionChange={(keys) => {
        const [key] = keys;
        if (key !== undefined) onChange(key as V);
      }}
    >
      {stats.map((stat) => (
        <ToggleButton key={stat.value} id={stat.value} className={stat.tone ? `stat ${stat.tone}` : 'stat'}>
          <StatText {...stat} />
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

function StatText({ label, number, more, mark }: Pick<Stat<string>, 'label' | 'number' | 'more' | 'mark'>) {
  return (
    <>
      <span className="stat-label">
        {mark && <span className={`stat-mark ${mark}`} />}
        {label}
      </span>
      <span className="stat-number">{number ?? '…'}</span>
      {more && <small>{more}</small>}
    </>
  );
}
