import { RotateCcw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Element } from '../../../../shared/design/elements.ts';
import type { PageFormat } from '../../../../shared/design/page-formats.ts';
import { Switch } from '../../../components/choices/Choices.tsx';
import { Button } from '../../../components/controls/Button.tsx';
import { NumberField } from '../../../components/fields/NumberField.tsx';
import { hiddenIn, isArranged, moveTo, placedByRules, rectsIn, shownIn } from '../edits.ts';
import type { DesignEdits } from '../useDesignEdits.ts';
import { RangeField } from './RangeField.tsx';

const SIDES = ['x', 'y', 'width', 'height'] as const;
/** The field rounds to whole steps, and elements are placed in tenths. */
const STEP = 0.1;
const SMALLEST = 0.1;
const HALF_TURN = 180;

type PlaceFieldsProps = { element: Element; edits: DesignEdits; format: PageFormat; canEdit: boolean };

/** Position and size in one format in percent of the page, rotation, and whether this format shows the element. */
export function PlaceFields({ element, edits, format, canEdit }: PlaceFieldsProps) {
  const { t } = useTranslation();
  const rect = rectsIn(edits.page, format).get(element.id);
  const isDisabled = !canEdit;
  const formatName = t(`designer.formats.${format}`);
  return (
    <>
      <Switch
        isSelected={rect !== undefined}
        isDisabled={isDisabled}
        onChange={(isShown) => edits.onPage((page) => (isShown ? shownIn : hiddenIn)(page, element.id, format))}
      >
        {t('designer.place.shown', { format: formatName })}
      </Switch>
      {rect && (
        <>
          <div className="field-pair">
            {SIDES.map((side) => (
              <NumberField
                key={side}
                label={t(`designer.place.${side}`)}
                value={Math.round(rect[side] * 10) / 10}
                min={side === 'width' || side === 'height' ? SMALLEST : 0}
                max={100}
                digits={1}
                step={STEP}
                unit="%"
                isDisabled={isDisabled}
                onChange={(percent) =>
                  percent !== null &&
                  edits.onPage(
                    (page) => moveTo(page, element.id, { ...rect, [side]: percent }, format),
                    `place ${element.id} ${side}`,
                  )
                }
              />
            ))}
          </div>
          <RangeField
            label={t('designer.place.rotation')}
            value={element.rotation}
            min={-HALF_TURN}
            max={HALF_TURN}
            unit="°"
            isDisabled={isDisabled}
            onChange={(rotation) => edits.onElement(element.id, (now) => ({ ...now, rotation }), 'rotation')}
          />
        </>
      )}
      {canEdit && isArranged(edits.page, element.id, format) && (
        <p className="field-hint">
          {t('designer.arranged', { format: formatName })}{' '}
          <Button
            size="small"
            variant="quiet"
            icon={RotateCcw}
            onPress={() => edits.onPage((page) => placedByRules(page, element.id, format))}
          >
            {t('designer.byRules')}
          </Button>
        </p>
      )}
    </>
  );
}
