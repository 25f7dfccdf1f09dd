import { useRef } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { useTranslation } from 'react-i18next';
import { type Brand, colorIn, paletteOf } from '../../../../shared/design/brand.ts';
import { PATTERNS, patternOf } from '../../../../shared/design/drawings/patterns.ts';
import type { Color, Fill } from '../../../../shared/design/fills.ts';
import { useBrand } from '../../../api/brand.ts';
import { ColorChoice } from './ColorChoice.tsx';
import { FILL_KINDS, type FillKind, fillAs } from './fill.utils.ts';
import { MediaFields } from './MediaFields.tsx';
import { RangeField } from './RangeField.tsx';
import './panels.css';

type FillFieldProps = {
  label: string;
  value: Fill;
  /** `kind`: consecutive changes of one kind are undone together. */
  onChange: (fill: Fill, kind?: string) => void;
  /** Kinds that the element can draw. @default all */
  kinds?: readonly FillKind[];
  isDisabled?: boolean;
};

/** CSS of a small picture of each kind of fill, in colours of the brand. */
const sampleOf = (kind: FillKind, brand: Brand): string => {
  const { paper, primary, accent, second } = paletteOf(brand);
  switch (kind) {
    case 'none':
      return `linear-gradient(to top right, ${paper} 47%, #c22f2f 47% 53%, ${paper} 53%)`;
    case 'color':
      return primary;
    case 'gradient':
      return `linear-gradient(135deg, ${primary}, ${accent})`;
    case 'pattern':
      return `${patternOf('dots', primary)} 0 0 / 1.25rem, ${second}`;
    case 'media':
      return `radial-gradient(circle at 74% 30%, ${accent} 14%, transparent 15%), linear-gradient(25deg, ${primary} 42%, transparent 43%), linear-gradient(-25deg, ${primary} 30%, transparent 31%), ${second}`;
    default:
      kind satisfies never;
      return 'none';
  }
};

/** Background of a page, an element or a shape: nothing, a colour, a gradient, a pattern or a picture. */
export function FillField({ label, value, onChange, kinds = FILL_KINDS, isDisabled = false }: FillFieldProps) {
  const { t } = useTranslation();
  const brand = useBrand();
  // Fills of the other kinds, so that a look at another kind loses nothing.
  const before = useRef<Partial<Record<FillKind, Fill>>>({});
  const setKind = (kind: FillKind) => {
    before.current[value.kind] = value;
    onChange(before.current[kind] ?? fillAs(value, kind));
  };
  return (
    <fieldset className="fill-field">
      <legend>{label}</legend>
      <ToggleButtonGroup
        className="sample-choice"
        aria-label={label}
        selectionMode="single"
        disallowEmptySelection
        isDisabled={isDisabled}
        selectedKeys={[value.kind]}
        onSelectionChange={([kind]) => kind !== undefined && setKind(kind as FillKind)}
      >
        {kinds.map((kind) => (
          <ToggleButton key={kind} id={kind}>
            <span className="sample" style={{ background: sampleOf(kind, brand) }} />
            {t(`designer.fill.kinds.${kind}`)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <FillDetails value={value} onChange={onChange} isDisabled={isDisabled} />
    </fieldset>
  );
}

type DetailsProps = Required<Pick<FillFieldProps, 'value' | 'onChange' | 'isDisabled'>>;

function FillDetails({ value, onChange, isDisabled }: DetailsProps) {
  const { t } = useTranslation();
  const colorField = (label: string, color: Color, set: (color: Color) => Fill) => (
    <ColorChoice
      label={label}
      value={color}
      isDisabled={isDisabled}
      onChange={(next) => onChange(set(next), `fill ${label}`)}
    />
  );
  switch (value.kind) {
    case 'none':
      return null;
    case 'color':
      return colorField(t('designer.fill.color'), value.color, (color) => ({ ...value, color }));
    case 'gradient':
      return (
        <>
          {colorField(t('designer.fill.from'), value.from, (from) => ({ ...value, from }))}
          {colorField(t('designer.fill.to'), value.to, (to) => ({ ...value, to }))}
          <RangeField
            label={t('designer.fill.angle')}
            value={value.angle}
            min={0}
            max={360}
            step={5}
            unit="°"
            isDisabled={isDisabled}
            onChange={(angle) => onChange({ ...value, angle }, 'fill angle')}
          />
        </>
      );
    case 'pattern':
      return (
        <>
          <PatternChoice
            value={value.pattern}
            color={value.color}
            background={value.background}
            isDisabled={isDisabled}
            onChange={(pattern) => onChange({ ...value, pattern })}
          />
          {colorField(t('designer.fill.drawing'), value.color, (color) => ({ ...value, color }))}
          {colorField(t('designer.fill.ground'), value.background, (background) => ({ ...value, background }))}
        </>
      );
    case 'media':
      return (
        <MediaFields
          value={value.media}
          isDisabled={isDisabled}
          onChange={(media, kind) => onChange({ ...value, media }, kind)}
        />
      );
    default:
      value satisfies never;
      return null;
  }
}

type PatternChoiceProps = {
  value: string;
  color: Color;
  background: Color;
  isDisabled: boolean;
  onChange: (pattern: string) => void;
};

function PatternChoice({ value, color, background, isDisabled, onChange }: PatternChoiceProps) {
  const { t } = useTranslation();
  const palette = paletteOf(useBrand());
  const [drawing, ground] = [colorIn(palette, color), colorIn(palette, background)];
  return (
    <ToggleButtonGroup
      className="sample-choice"
      aria-label={t('designer.fill.pattern')}
      selectionMode="single"
      disallowEmptySelection
      isDisabled={isDisabled}
      selectedKeys={[value]}
      onSelectionChange={([pattern]) => pattern !== undefined && onChange(String(pattern))}
    >
      {PATTERNS.map((name) => {
        const label = t(`designer.fill.patterns.${name as PatternName}`, { defaultValue: name });
        return (
          <ToggleButton key={name} id={name} aria-label={label}>
            <span className="sample" style={{ background: `${patternOf(name, drawing)} 0 0 / 1.75rem, ${ground}` }} />
          </ToggleButton>
        );
      })}
    </ToggleButtonGroup>
  );
}

/** Patterns that have a name in the texts of the window. */
type PatternName =
  | 'dots'
  | 'grid'
  | 'stripes'
  | 'waves'
  | 'confetti'
  | 'leaves'
  | 'snow'
  | 'tiles'
  | 'rings'
  | 'hearts';
