import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import type { Tone } from '../frame/Page.tsx';
import './StatFilter.css';

export interface Stat<V extends string> {
  readonly value: V;
  readonly label: string;
  /** Undefined while loading. */
  readonly number: string | undefined;
  /** The total that the number is a part of. */
  readonly more?: string | undefined;
  /** CSS class of the mark before its label, if a chart beside it has a mark for the same count. */
  readonly mark?: string | undefined;
  /** Tone of the number; absent if there is no problem. */
  readonly tone?: Tone | undefined;
}

type StatFilterProps<V extends string> = {
  label: string;
  stats: readonly Stat<V>[];
  /** Undefined while the list is filtered in another way. */
  value: V | undefined;
  onChange: (value: V) => void;
};

/** Counts of a list, each of which filters the list. One Tab stop; arrows move between the counts. */
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
