import { useTranslation } from 'react-i18next';
import { Pager } from '../components/Pager.tsx';

type PagesProps = {
  /** From 0, as `pageOf` reads it from the address. */
  page: number;
  /** Rows per page, rows of this page, and all rows. */
  size: number;
  shown: number;
  total: number;
  /** Sets the page in the address; undefined for the first page. */
  onPage: (page: string | undefined) => void;
};

/** Navigation below a list that is fetched page by page. Another page starts at its top. */
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
