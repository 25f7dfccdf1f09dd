import type { Element, ElementType } from '../../../../shared/design/elements.ts';
import type { DesignEdits } from '../useDesignEdits.ts';

/** Properties of one type of element. `change` gets a kind: consecutive changes of one kind are undone together. */
export type PanelProps<T extends ElementType> = {
  element: Extract<Element, { type: T }>;
  change: (values: Partial<Extract<Element, { type: T }>>, kind?: string) => void;
  canEdit: boolean;
};

/** Properties of a panel that also opens elements for typing. */
export type EditingPanelProps<T extends ElementType> = PanelProps<T> & { edits: DesignEdits };
