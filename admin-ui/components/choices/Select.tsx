import { lazy, type ReactNode, Suspense, useState } from 'react';
import { ListBox } from 'react-aria-components/ListBox';
import { ClosedSelect } from './ClosedSelect.tsx';
import { Choosable, SelectFrame, type SelectProps } from './SelectFrame.tsx';

/**
 * Number of options above which a select has a search field. Rendering a longer list would delay its opening, and
 * browsing it takes too long.
 */
const LONG = 40;
const LongSelect = lazy(() => import('./LongSelect.tsx').then((m) => ({ default: m.LongSelect }))) as <
  V extends string,
>(
  props: SelectProps<V>,
) => ReactNode;

/** A select for one option. With many options, it has a search field. */
export function Select<V extends string>(props: SelectProps<V>) {
  const [isAsked, setAsked] = useState(props.defaultOpen ?? false);
  if (props.options.length <= LONG) return <ShortSelect {...props} />;
  const closed = <ClosedSelect {...props} says={labelOf(props)} onOpen={() => setAsked(true)} />;
  return isAsked ? (
    <Suspense fallback={closed}>
      <LongSelect {...props} defaultOpen />
    </Suspense>
  ) : (
    closed
  );
}

const labelOf = <V extends string>({ options, value }: SelectProps<V>): string | undefined =>
  options.find((option) => option.value === value)?.label;

function ShortSelect<V extends string>({ options, ...field }: SelectProps<V>) {
  return (
    <SelectFrame {...field} says={labelOf({ options, ...field })}>
      <ListBox className="menu" items={options.map((option) => ({ id: option.value, option }))}>
        {({ option }) => <Choosable option={option} />}
      </ListBox>
    </SelectFrame>
  );
}
