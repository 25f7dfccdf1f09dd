import { useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { ListBox } from 'react-aria-components/ListBox';
import { useTranslation } from 'react-i18next';
import { SearchField } from '../fields/SearchField.tsx';
import { Choosable, type Option, SelectFrame, type SelectProps } from './SelectFrame.tsx';
import '../lists/FindBox.css';

/**
 * Maximum number of rendered options. More options would take longer than a frame. Other options are found by
 * typing.
 */
const SHOWN = 40;

/** A select with a search field, for too many options to browse or to draw at once. */
export function LongSelect<V extends string>({ options, ...field }: SelectProps<V>) {
  const { t } = useTranslation();
  const [q, setQ] = useState('');
  const chosen = options.find(({ value }) => value === field.value);
  const found = matching(options, q);
  const shown = withChosen(found.slice(0, SHOWN), q === '' ? chosen : undefined);
  return (
    <SelectFrame {...field} says={chosen?.label} popover="find-popover" onOpenChange={(isOpen) => !isOpen && setQ('')}>
      <Autocomplete inputValue={q} onInputChange={setQ}>
        <div className="find-search">
          <SearchField label={field.label} value={q} onChange={setQ} autoFocus />
        </div>
        {/* Arrow keys in the search field move through the options. The tab stop makes the list scrollable by
            keyboard, too. */}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <section className="find-scroll" tabIndex={0} aria-label={field.label}>
          <ListBox
            className="menu find-list"
            items={shown.map((option) => ({ id: option.value, option }))}
            renderEmptyState={() => <p className="find-none">{t('screens.noneFoundHelp', { q })}</p>}
          >
            {({ option }) => <Choosable option={option} />}
          </ListBox>
        </section>
      </Autocomplete>
      {found.length > SHOWN && (
        <p className="find-more">{t('common.typeMore', { shown: SHOWN, total: found.length })}</p>
      )}
    </SelectFrame>
  );
}

const matching = <V extends string>(options: readonly Option<V>[], q: string): readonly Option<V>[] => {
  const wanted = q.trim().toLocaleLowerCase();
  return wanted ? options.filter(({ label }) => label.toLocaleLowerCase().includes(wanted)) : options;
};

/** Returns the shown options, with the chosen option always included. */
const withChosen = <V extends string>(shown: readonly Option<V>[], chosen: Option<V> | undefined) =>
  chosen && !shown.includes(chosen) ? [chosen, ...shown] : shown;
