import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content.ts';
import type { Widget } from '../../../shared/contract/widgets.ts';
import { Segments } from '../../components/Choices.tsx';
import { Library } from './Library.tsx';
import { WidgetLibrary } from './WidgetLibrary.tsx';

type LibraryPaneProps = { onAdd: (content: Content) => void; onAddWidget: (widget: Widget) => void; draggable?: boolean };

/** Both kinds of what a playlist can hold. */
export function LibraryPane({ onAdd, onAddWidget, draggable = false }: LibraryPaneProps) {
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
      </div>
      {kind === 'content' ? <Library onAdd={onAdd} draggable={draggable} /> : <WidgetLibrary onAdd={onAddWidget} />}
    </>
  );
}
