import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalSpaceAround,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalSpaceAround,
  BringToFront,
  Group,
  SendToBack,
  Ungroup,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../components/controls/Button.tsx';
import type { Edge } from '../edits.ts';
import type { DesignEdits } from '../useDesignEdits.ts';

const EDGES = [
  ['left', AlignStartVertical],
  ['center', AlignCenterVertical],
  ['right', AlignEndVertical],
  ['top', AlignStartHorizontal],
  ['middle', AlignCenterHorizontal],
  ['bottom', AlignEndHorizontal],
] as const satisfies readonly (readonly [Edge, typeof Group])[];

/** Buttons that align, space, stack and group the selected elements. One element is aligned to the page. */
export function ArrangeButtons({ edits }: { edits: DesignEdits }) {
  const { t } = useTranslation();
  const { selection, page } = edits;
  const isGroup = page.elements.some(({ id, group }) => selection.has(id) && group !== null);
  return (
    <div className="arrange-buttons" role="toolbar" aria-label={t('designer.arrange')}>
      {EDGES.map(([edge, icon]) => (
        <IconButton
          key={edge}
          icon={icon}
          size="small"
          label={t(`designer.align.${edge}`)}
          onPress={() => edits.align(edge)}
        />
      ))}
      {selection.size > 2 && (
        <>
          <IconButton
            icon={AlignHorizontalSpaceAround}
            size="small"
            label={t('designer.spaceX')}
            onPress={() => edits.space('x')}
          />
          <IconButton
            icon={AlignVerticalSpaceAround}
            size="small"
            label={t('designer.spaceY')}
            onPress={() => edits.space('y')}
          />
        </>
      )}
      <IconButton icon={BringToFront} size="small" label={t('designer.toFront')} onPress={() => edits.raise(1)} />
      <IconButton icon={SendToBack} size="small" label={t('designer.toBack')} onPress={() => edits.raise(-1)} />
      {selection.size > 1 && !isGroup && (
        <IconButton icon={Group} size="small" label={t('designer.group')} onPress={edits.group} />
      )}
      {isGroup && <IconButton icon={Ungroup} size="small" label={t('designer.ungroup')} onPress={edits.ungroup} />}
    </div>
  );
}
