import { useTranslation } from 'react-i18next';
import { Pager } from '../../components/lists/Pager.tsx';

type PagesProps = {
  /** Number of the list page, from 0, as `pageOf` reads it from the address. */
  page: number;
  /** Rows per list page, rows of the present list page, and all rows. */
  size: number;
  shown: number;
  total: number;
  /** Writes the number of the list page into the address; undefined for the first list page. */
  onPage: (page: string | undefined) => void;
};

/** Navigation below a list that is fetched in list pages. Another list page starts at its top. */
export function Pages({ page, size, shown, total, onPage }: PagesProps) {
  const { t } = useTranslation();
  const from = page * size + 1;
  return (
    <Pager
      label={t('stores.pages')}
      says={t('stores.shown', { from, to: from + shown - 1, total })}
      page={page}
      pages={Math.ceil(total / size)}
      onPage={(next) => {
        onPage(next === 0 ? undefined : String(next + 1));
        document.getElementById('pane')?.scrollTo({ top: 0 });
      }}
      words={{ previous: t('stores.previous'), next: t('stores.next') }}
    />
  );
}
