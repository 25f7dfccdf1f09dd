import type { Content } from '../../../shared/contract/content.ts';

/** What a content needs to know to be drawn in the library, as a picture or as a line. */
export type ContentCellProps = {
  content: Content;
  index: number;
  canWrite: boolean;
  isSelected: boolean;
  /** Something is chosen: the boxes of all show. */
  selecting: boolean;
  onToggle: (index: number, how: { range: boolean }) => void;
  onOpen: (id: string) => void;
  onAsk: (what: 'move' | 'label' | 'delete', content: Content) => void;
  /** Ids that go along when this one is dragged. */
  dragged: (content: Content) => string[];
};
