import { useDraggable } from '@dnd-kit/core';
import { useQuery } from '@tanstack/react-query';
import { LayoutTemplate, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content/content.ts';
import type { Widget } from '../../../shared/contract/content/widgets.ts';
import { widgetsQuery } from '../../api/widgets.ts';
import { Segments } from '../../components/choices/Choices.tsx';
import { ButtonLink, IconButton } from '../../components/controls/Button.tsx';
import { SearchField } from '../../components/fields/SearchField.tsx';
import { useOneStop } from '../../components/keyboard/useOneStop.ts';
import { useContentLibrary } from '../../domain/content/ContentPicker.tsx';
import { ContentThumb } from '../../domain/preview/ContentThumb.tsx';

type LibraryPaneProps = {
  playlistId: string;
  onAdd: (content: Content) => void;
  onAddWidget: (widget: Widget) => void;
  draggable?: boolean;
};

/** Pane with contents and widgets that can be added to a playlist. */
export function LibraryPane({ playlistId, onAdd, onAddWidget, draggable = false }: LibraryPaneProps) {
  const { t } = useTranslation();
  const [kind, setKind] = useState<'content' | 'widgets'>('content');
  return (
    <>
      <div className="library-kinds">
        <Segments
          label={t('dayparts.choose')}
          value={kind}
          onChange={setKind}
          options={[
            { value: 'content', label: t('dayparts.kinds.content') },
            { value: 'widgets', label: t('dayparts.kinds.widgets') },
          ]}
        />
        <ButtonLink to="/content/new-design" search={{ playlist: playlistId }} size="small" icon={LayoutTemplate}>
          {t('templates.new')}
        </ButtonLink>
      </div>
      {kind === 'content' ? <Library onAdd={onAdd} draggable={draggable} /> : <WidgetLibrary onAdd={onAddWidget} />}
    </>
  );
}

/** List of contents that can be added to a playlist. */
function Library({ onAdd, draggable = false }: { onAdd: (content: Content) => void; draggable?: boolean }) {
  const { t } = useTranslation();
  const { text, setText, q, contents, none, end } = useContentLibrary();
  const list = useOneStop<HTMLUListElement>();
  return (
    <>
      {(contents.length > 0 || text) && <SearchField label={t('content.search')} value={text} onChange={setText} />}
      {none && !q && (
        <>
          <p className="field-hint">{t('playlist.libraryEmpty')}</p>
          <ButtonLink to="/content" size="small">
            {t('playlist.toContent')}
          </ButtonLink>
        </>
      )}
      {none && q && <p className="field-hint">{t('playlist.libraryNothing')}</p>}
      <ul className="library-list" {...list}>
        {contents.map((content) => (
          <LibraryCard key={content.id} content={content} onAdd={onAdd} draggable={draggable} />
        ))}
        {end}
      </ul>
    </>
  );
}

function LibraryCard({
  content,
  onAdd,
  draggable,
}: {
  content: Content;
  onAdd: (content: Content) => void;
  draggable: boolean;
}) {
  const { t } = useTranslation();
  const { setNodeRef, listeners } = useDraggable({
    id: `library:${content.id}`,
    data: { content },
    disabled: !draggable,
  });
  return (
    <li className={draggable ? 'library-card draggable' : 'library-card'} ref={setNodeRef}>
      {/* Only the pointer can drag. The button below adds the content in every other way of use. */}
      <div {...(draggable && { onMouseDown: listeners?.['onMouseDown'] as never })} className="library-grip">
        <ContentThumb content={content} small />
      </div>
      <p className="truncate" title={content.filename}>
        {content.filename}
      </p>
      <AriaButton
        className="library-add"
        aria-label={t('playlist.addItem', { name: content.filename })}
        onPress={() => onAdd(content)}
      >
        <Plus aria-hidden />
      </AriaButton>
    </li>
  );
}

/** List of widgets that can be added to a playlist. */
function WidgetLibrary({ onAdd }: { onAdd: (widget: Widget) => void }) {
  const { t } = useTranslation();
  const query = useQuery(widgetsQuery);
  const list = useOneStop<HTMLUListElement>();
  if (query.data?.length === 0) {
    return (
      <>
        <p className="field-hint">{t('dayparts.noWidgets')}</p>
        <ButtonLink to="/widgets" size="small">
          {t('dayparts.toWidgets')}
        </ButtonLink>
      </>
    );
  }
  return (
    <ul className="widget-list" {...list}>
      {(query.data ?? []).map((widget) => (
        <li key={widget.id}>
          <span className="truncate">
            {widget.name}
            <small>{t(`widgets.type.${widget.widget_type}`)}</small>
          </span>
          <IconButton
            icon={Plus}
            size="small"
            label={t('playlist.addItem', { name: widget.name })}
            onPress={() => onAdd(widget)}
          />
        </li>
      ))}
    </ul>
  );
}
