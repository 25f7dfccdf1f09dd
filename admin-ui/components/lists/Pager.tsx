import { ChevronLeft, ChevronRight } from 'lucide-react';
import { IconButton } from '../controls/Button.tsx';
import './Pager.css';

type PagerProps = {
  label: string;
  /** Text with the shown range and the total. */
  says: string;
  /** Index of the page, from 0. */
  page: number;
  pages: number;
  onPage: (page: number) => void;
  words: { previous: string; next: string };
};

/** Navigation below a list that is shown in pages: previous, next, and the shown range. */
export function Pager({ label, says, page, pages, onPage, words }: PagerProps) {
  return (
    <nav className="pager" aria-label={label}>
      <span role="status">{says}</span>
      {pages > 1 && (
        <span>
          <IconButton
            icon={ChevronLeft}
            label={words.previous}
            isDisabled={page === 0}
            onPress={() => onPage(page - 1)}
          />
          <IconButton
            icon={ChevronRight}
            label={words.next}
            isDisabled={page >= pages - 1}
            onPress={() => onPage(page + 1)}
          />
        </span>
      )}
    </nav>
  );
}
