import { useTranslation } from 'react-i18next';
import type { Content } from '../../../../shared/contract/content/content.ts';
import { usePhone } from '../../../components/hooks/useMedia.ts';
import type { Selection } from '../../../components/lists/useSelection.ts';
import { VirtualGrid } from '../../../components/lists/VirtualGrid.tsx';
import type { View } from '../content.utils.ts';
import {
  ContentCard,
  ContentCardSkeleton,
  type ContentCellProps,
  ContentRow,
  ContentRowSkeleton,
} from './ContentCell.tsx';
import type { useContentData } from './useContentData.ts';

type ContentGridProps = Pick<ContentCellProps, 'onOpen' | 'onAsk' | 'onFile' | 'dragged'> & {
  view: View;
  data: ReturnType<typeof useContentData>;
  selection: Selection<Content>;
  isOwn: (content: Content) => boolean;
};

/** The contents as cards, or as rows of a list. */
export function ContentGrid({ view, data, selection, isOwn, ...actions }: ContentGridProps) {
  const { t } = useTranslation();
  const phone = usePhone();
  const { chosen, toggle } = selection;
  const isList = view === 'list';
  return (
    <VirtualGrid
      key={view}
      label={t('nav.content')}
      count={data.total}
      minColumn={isList ? 100_000 : phone ? 150 : 184}
      gap={isList ? 0 : phone ? 14 : 20}
      estimateRow={(width) => (isList ? 57 : (width * 9) / 16 + 56)}
      keyOf={(i) => data.at(i)?.id ?? i}
      isChosen={data.canWrite ? (i) => chosen.has(data.at(i)?.id ?? '') : undefined}
      onRange={data.onRange}
      renderCell={(index) => {
        const content = data.at(index);
        if (!content) return isList ? <ContentRowSkeleton /> : <ContentCardSkeleton />;
        const Cell = isList ? ContentRow : ContentCard;
        return (
          <Cell
            content={content}
            index={index}
            canWrite={isOwn(content)}
            isSelected={chosen.has(content.id)}
            selecting={chosen.size > 0}
            onToggle={toggle}
            {...actions}
          />
        );
      }}
    />
  );
}
