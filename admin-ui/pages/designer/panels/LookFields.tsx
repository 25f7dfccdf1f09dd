/** Look of elements with text: colour, size, alignment, and the background behind the text. */
import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  AlignVerticalJustifyCenter,
  AlignVerticalJustifyEnd,
  AlignVerticalJustifyStart,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Element } from '../../../../shared/design/elements.ts';
import { Segments, Switch } from '../../../components/choices/Choices.tsx';
import { NumberField } from '../../../components/fields/NumberField.tsx';
import { ColorChoice } from './ColorChoice.tsx';
import { FillField } from './FillField.tsx';
import { MoreSection } from './MoreSection.tsx';
import { RadiusField } from './RadiusField.tsx';
import { RangeField } from './RangeField.tsx';

type Price = Extract<Element, { type: 'price' }>;
/** Properties that all elements with text have. */
type Textual = Pick<Price, 'color' | 'size' | 'font' | 'align' | 'vertical' | 'fill' | 'radius' | 'padding' | 'shadow'>;
/** The area behind the text. */
type Behind = Pick<Price, 'fill' | 'radius' | 'padding' | 'shadow'>;
type LookProps<T = Textual> = {
  element: T;
  change: (values: Partial<T>, kind?: string) => void;
  canEdit: boolean;
};

const ALIGN = [
  ['start', AlignLeft],
  ['center', AlignCenter],
  ['end', AlignRight],
] as const;
const VERTICAL = [
  ['top', AlignVerticalJustifyStart],
  ['middle', AlignVerticalJustifyCenter],
  ['bottom', AlignVerticalJustifyEnd],
] as const;
const MIN_SIZE = 8;
const MAX_SIZE = 1000;
const MAX_PADDING = 200;

/** Size, colour and alignment of a text, and a closed section with its background. */
export function TextLook({ element, change, canEdit }: LookProps) {
  const { t } = useTranslation();
  const isDisabled = !canEdit;
  return (
    <>
      <NumberField
        label={t('designer.look.size')}
        value={element.size}
        min={MIN_SIZE}
        max={MAX_SIZE}
        isDisabled={isDisabled}
        onChange={(size) => size !== null && change({ size }, 'size')}
      />
      <ColorChoice
        label={t('designer.color')}
        value={element.color}
        isDisabled={isDisabled}
        onChange={(color) => change({ color }, 'color')}
      />
      <div className="button-row">
        <Segments
          label={t('designer.look.align')}
          value={element.align}
          isDisabled={isDisabled}
          onChange={(align) => change({ align })}
          options={ALIGN.map(([value, icon]) => ({
            ...{ value, icon, iconOnly: true },
            label: t(`designer.look.aligns.${value}`),
          }))}
        />
        <Segments
          label={t('designer.look.vertical')}
          value={element.vertical}
          isDisabled={isDisabled}
          onChange={(vertical) => change({ vertical })}
          options={VERTICAL.map(([value, icon]) => ({
            ...{ value, icon, iconOnly: true },
            label: t(`designer.look.verticals.${value}`),
          }))}
        />
      </div>
      <BehindFields element={element} change={change} canEdit={canEdit} />
    </>
  );
}

/** Background behind a text, its corners, inner margin and shadow. */
export function BehindFields({ element, change, canEdit }: LookProps<Behind>) {
  const { t } = useTranslation();
  const isDisabled = !canEdit;
  return (
    <MoreSection title={t('designer.look.behind')}>
      <FillField
        label={t('designer.look.fill')}
        value={element.fill}
        isDisabled={isDisabled}
        onChange={(fill, kind) => change({ fill }, kind)}
      />
      <RangeField
        label={t('designer.look.padding')}
        value={Math.min(element.padding, MAX_PADDING)}
        min={0}
        max={MAX_PADDING}
        step={2}
        isDisabled={isDisabled}
        onChange={(padding) => change({ padding }, 'padding')}
      />
      {element.fill.kind !== 'none' && (
        <>
          <RadiusField
            value={element.radius}
            isDisabled={isDisabled}
            onChange={(radius) => change({ radius }, 'radius')}
          />
          <Switch isSelected={element.shadow} isDisabled={isDisabled} onChange={(shadow) => change({ shadow })}>
            {t('designer.look.shadow')}
          </Switch>
        </>
      )}
    </MoreSection>
  );
}
