import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/controls/Button.tsx';
import { SearchField } from '../../components/fields/SearchField.tsx';

/** Number of rows from which on a list has a search field. */
const SEARCH_FROM = 9;
/** Maximum number of rows that are drawn at first. Rows with menus and fields are slow to draw. */
const FEW = 30;

type FewRowsProps<T> = {
  /** Name of the list, for the search field. */
  label: string;
  rows: readonly T[];
  /** Returns the text of a row in which the search looks. */
  textOf: (row: T) => string;
  children: (row: T) => ReactNode;
};

/** A list that draws its first rows, and further rows on request or by search. */
export function FewRows<T>({ label, rows, textOf, children }: FewRowsProps<T>) {
  const { t } = useTranslation();
  const [q, setQ] = useState('');
  const [most, setMost] = useState(FEW);
  const wanted = q.trim().toLocaleLowerCase();
  const found = wanted ? rows.filter((row) => textOf(row).toLocaleLowerCase().includes(wanted)) : rows;
  const rest = found.length - most;
  return (
    <>
      {rows.length >= SEARCH_FROM && <SearchField label={label} value={q} onChange={setQ} />}
      {found.length > 0 ? (
        <ul className="table-box">{found.slice(0, most).map(children)}</ul>
      ) : (
        rows.length > 0 && <p className="field-hint">{t('screens.noneFoundHelp', { q })}</p>
      )}
      {rest > 0 && (
        <div>
          <Button size="small" onPress={() => setMost(most + FEW * 2)}>
            {t('find.showMore', { count: rest })}
          </Button>
        </div>
      )}
    </>
  );
}
