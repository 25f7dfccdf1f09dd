import { useDraggable } from '@dnd-kit/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { useTranslation } from 'react-i18next';
import { type Content, listContent } from '../../../shared/contract/content.ts';
import { ButtonLink } from '../../components/Button.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { client } from '../../data/client.ts';
import { ContentThumb } from '../../parts/ContentThumb.tsx';

const PAGE = 60;

/** What can be put into a playlist, newest first; more comes when the end is scrolled into view. */
export function Library({ onAdd, draggable = false }: { onAdd: (content: Content) => void; draggable?: boolean }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const q = useDeferredValue(text.trim());
  const query = useInfiniteQuery({
    queryKey: ['content', 'library', q],
    queryFn: async ({ pageParam, signal }) => client.request(listContent, { query: { q, limit: String(PAGE), offset: String(pageParam) }, signal }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (pages.length * PAGE < (last.total ?? 0) ? pages.length * PAGE : undefined),
    placeholderData: (before) => before,
  });
  const contents = query.data?.pages.flatMap((page) => page.data) ?? [];
  const end = useRef<HTMLLIElement>(null);
  const { hasNextPage, fetchNextPage } = query;
  useEffect(() => {
    if (!end.current || !hasNextPage) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void fetchNextPage());
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasNextPage, fetchNextPage]);
  const none = query.isSuccess && contents.length === 0;
  return (
    <>
      {(contents.length > 0 || text) && <SearchField label={t('playlist.librarySearch')} value={text} onChange={setText} />}
      {none && !q && (
        <>
          <p className="field-hint">{t('playlist.libraryEmpty')}</p>
          <ButtonLink to="/content" size="small">
            {t('playlist.toContent')}
          </ButtonLink>
        </>
      )}
      {none && q && <p className="field-hint">{t('playlist.libraryNothing')}</p>}
      <ul className="library-list">
        {contents.map((content) => (
          <LibraryCard key={content.id} content={content} onAdd={onAdd} draggable={draggable} />
        ))}
        {hasNextPage && <li ref={end} />}
      </ul>
    </>
  );
}

function LibraryCard({ content, onAdd, draggable }: { content: Content; onAdd: (content: Content) => void; draggable: boolean }) {
  const { t } = useTranslation();
  const { setNodeRef, listeners } = useDraggable({ id: `library:${content.id}`, data: { content }, disabled: !draggable });
  return (
    <li className={draggable ? 'library-card draggable' : 'library-card'} ref={setNodeRef}>
      {/* Dragging is the pointer's way; the button is everybody's. */}
      <div {...(draggable && { onMouseDown: listeners?.['onMouseDown'] as never })} className="library-grip">
        <ContentThumb content={content} small />
      </div>
      <p className="truncate" title={content.filename}>
        {content.filename}
      </p>
      <AriaButton className="library-add" aria-label={t('playlist.addItem', { name: content.filename })} onPress={() => onAdd(content)}>
        <Plus aria-hidden />
      </AriaButton>
    </li>
  );
}
