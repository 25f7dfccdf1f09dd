import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { useTranslation } from 'react-i18next';
import type { Color } from '../../../../shared/design/fills.ts';
import { Select } from '../../../components/choices/Select.tsx';
import { NumberField } from '../../../components/fields/NumberField.tsx';
import { ColorChoice } from './ColorChoice.tsx';

type Textual = {
  readonly size: number;
  readonly color: Color;
  readonly font: 'heading' | 'body' | null;
  readonly align: 'start' | 'center' | 'end';
  readonly vertical: 'top' | 'middle' | 'bottom';
};
type TextualFieldsProps = {
  value: Textual;
  /** Consecutive changes of one `kind` are undone together. */
  onChange: (values: Partial<Textual>, kind?: string) => void;
  /** Largest size in units that the type of element permits. */
  maxSize: number;
  /** False for an element whose columns have alignments of their own. @default true */
  hasAlign?: boolean;
  isDisabled: boolean;
};

const MIN_SIZE = 8;
const VERTICALS = ['top', 'middle', 'bottom'] as const;

/** Size, alignment, font and colour of an element with words. */
export function TextualFields({ value, onChange, maxSize, hasAlign = true, isDisabled }: TextualFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <NumberField
        label={t('designer.text.size')}
        hint={t('designer.text.sizeHint')}
        value={Math.round(value.size)}
        min={MIN_SIZE}
        max={maxSize}
        step={2}
        isDisabled={isDisabled}
        onChange={(size) => size !== null && onChange({ size }, 'size')}
      />
      {hasAlign ? (
        <AlignGrid value={value} isDisabled={isDisabled} onChange={onChange} />
      ) : (
        <Select
          label={t('designer.text.place')}
          value={value.vertical}
          isDisabled={isDisabled}
          options={VERTICALS.map((vertical) => ({ value: vertical, label: t(`designer.text.verticals.${vertical}`) }))}
          onChange={(vertical) => onChange({ vertical })}
        />
      )}
      <Select
        label={t('designer.text.font')}
        value={value.font ?? 'style'}
        isDisabled={isDisabled}
        options={(['style', 'heading', 'body'] as const).map((font) => ({
          value: font,
          label: t(`designer.text.fonts.${font}`),
        }))}
        onChange={(font) => onChange({ font: font === 'style' ? null : font })}
      />
      <ColorChoice
        label={t('designer.color')}
        value={value.color}
        isDisabled={isDisabled}
        onChange={(color) => onChange({ color }, 'color')}
      />
    </>
  );
}

const ALIGNS = ['start', 'center', 'end'] as const;
type Place = `${(typeof VERTICALS)[number]}-${(typeof ALIGNS)[number]}`;

type AlignGridProps = Pick<TextualFieldsProps, 'onChange' | 'isDisabled'> & {
  value: Pick<Textual, 'align' | 'vertical'>;
};

/** Nine places of the words within the element. */
function AlignGrid({ value, onChange, isDisabled }: AlignGridProps) {
  const { t } = useTranslation();
  const label = t('designer.text.place');
  return (
    <div className="field">
      <span className="field-label" aria-hidden>
        {label}
      </span>
      <ToggleButtonGroup
        className="align-grid"
        aria-label={label}
        selectionMode="single"
        disallowEmptySelection
        isDisabled={isDisabled}
        selectedKeys={[`${value.vertical}-${value.align}`]}
        onSelectionChange={([key]) => {
          const [vertical, align] = String(key).split('-') as [Textual['vertical'], Textual['align']];
          onChange({ vertical, align });
        }}
      >
        {VERTICALS.flatMap((vertical) =>
          ALIGNS.map((align): Place => `${vertical}-${align}`).map((place) => (
            <ToggleButton key={place} id={place} aria-label={t(`designer.text.places.${place}`)}>
              <span className={`align-lines ${place.split('-')[1]}`} aria-hidden />
            </ToggleButton>
          )),
        )}
      </ToggleButtonGroup>
    </div>
  );
}
