import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import type { Tone } from './Page.tsx';
import './StatFilter.css';

export interface Stat<V extends string> {
  readonly value: V;
  readonly label: string;
  /** Undefined: on its way. */
  readonly number: string | undefined;
  /** What it is a part of. */
  readonly more?: string | undefined;
  /** Classes of the sign before its label, where a chart beside it has one for what is counted. */
  readonly mark?: string | undefined;
  /** Of the number; absent: there is nothing to worry about. */
  readonly tone?: Tone | undefined;
}

type StatFilterProps<V extends string> = {
  label: string;
  stats: readonly Stat<V>[];
  /** Undefined: something is shown that none of them counts. */
  value: V | undefined;
  onChange: (value: V) => void;
};

/** Numbers of a list, each of which shows what it counts. One stop of the Tab key; arrows go on. */
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
