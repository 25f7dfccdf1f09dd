import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { useTranslation } from 'react-i18next';
import { type Content, listContent } from '../../../shared/contract/content/content.ts';
import type { ContentFilter } from '../../api/files/content.ts';
import { client } from '../../api/requests/client.ts';
import { Segments } from '../../components/choices/Choices.tsx';
import { Button, ButtonLink } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/controls/Dialog.tsx';
import { SearchField } from '../../components/fields/SearchField.tsx';
import { useOneStop } from '../../components/keyboard/useOneStop.ts';
import { ContentThumb } from '../preview/ContentThumb.tsx';
import './ContentPicker.css';

const PAGE = 60;

/**
 * Hook that returns the contents that match the search, the newest first. Loads further contents when the element `end`
 * is scrolled into view.
 */
export const useContentLibrary = (type?: ContentFilter['type']) => {
  const [text, setText] = useState('');
  const q = useDeferredValue(text.trim());
  const { data, isSuccess, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['content', 'library', q, type],
    queryFn: async ({ pageParam, signal }) =>
      client.request(listContent, { query: { q, type, limit: String(PAGE), offset: String(pageParam) }, signal }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (pages.length * PAGE < (last.total ?? 0) ? pages.length * PAGE : undefined),
    placeholderData: (before) => before,
  });
  const contents = data?.pages.flatMap((page) => page.data) ?? [];
  const end = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!end.current || !hasNextPage) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void fetchNextPage());
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasNextPage, fetchNextPage]);
  const none = isSuccess && contents.length === 0;
  return { text, setText, q, contents, none, end: hasNextPage && <li ref={end} /> };
};

type PickedType = 'image' | 'video';

type ContentPickerProps = {
  title: string;
  /** Offers only contents of this type. */
  type?: ContentFilter['type'];
  /** Offers contents of several types, one at a time. Replaces `type`. */
  types?: readonly PickedType[];
  onChoose: (content: Content) => void;
  onClose: () => void;
};

/** Dialog in which the user chooses one content of the library. */
export function ContentPicker({ title, type, types, onChoose, onClose }: ContentPickerProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(types?.[0]);
  const { text, setText, q, contents, none, end } = useContentLibrary(shown ?? type);
  const list = useOneStop<HTMLUListElement>();
  return (
    <Dialog
      title={title}
      size="wide"
      onClose={onClose}
      actions={<Button onPress={onClose}>{t('common.cancel')}</Button>}
    >
      {types && shown && (
        <Segments
          label={title}
          value={shown}
          onChange={setShown}
          options={types.map((value) => ({ value, label: t(`content.kinds.${value}`) }))}
        />
      )}
      {(contents.length > 0 || text) && (
        <SearchField label={t('content.search')} value={text} onChange={setText} autoFocus />
      )}
      {none && <p className="field-hint">{q ? t('playlist.libraryNothing') : t('playlist.libraryEmpty')}</p>}
      {none && !q && (
        <ButtonLink to="/content" size="small">
          {t('playlist.toContent')}
        </ButtonLink>
      )}
      <ul className="content-picker" {...list}>
        {contents.map((content) => (
          <li key={content.id}>
            <AriaButton onPress={() => onChoose(content)}>
              <ContentThumb content={content} small cover />
              <span className="truncate">{content.filename}</span>
            </AriaButton>
          </li>
        ))}
        {end}
      </ul>
    </Dialog>
  );
}
