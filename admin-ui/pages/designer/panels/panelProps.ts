import type { Element, ElementType } from '../../../../shared/design/elements.ts';
import type { DesignEdits } from '../useDesignEdits.ts';

/** Properties of one type of element. `change` gets a kind: consecutive changes of one kind are undone together. */
export type PanelProps<T extends ElementType> = {
  element: Extract<Element, { type: T }>;
  change: (values: Partial<Extract<Element, { type: T }>>, kind?: string) => void;
  canEdit: boolean;
  edits: DesignEdits;
};
