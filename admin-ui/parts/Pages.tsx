import { useTranslation } from 'react-i18next';
import { Pager } from '../components/Pager.tsx';

type PagesProps = {
  /** From 0, as `pageOf` reads it from the address. */
  page: number;
  /** Rows of a page, those of this one, and all. */
  size: number;
  shown: number;
  total: number;
  /** What the address says of another page; undefined: of the first one nothing. */
  onPage: (page: string | undefined) => void;
};

/** Beneath a list that is asked for page by page; another page begins at its top. */
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
