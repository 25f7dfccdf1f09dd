import { useTranslation } from 'react-i18next';
import type { Fill } from '../../../../shared/design/fills.ts';
import { Switch } from '../../../components/choices/Choices.tsx';
import { NumberField } from '../../../components/fields/NumberField.tsx';
import { ColorChoice } from './ColorChoice.tsx';

type Panel = {
  readonly fill: Fill;
  readonly radius: number | null;
  readonly padding: number;
  readonly shadow: boolean;
};
type PanelFieldsProps = {
  value: Panel;
  /** Consecutive changes of one `kind` are undone together. */
  onChange: (values: Partial<Panel>, kind?: string) => void;
  isDisabled: boolean;
};

/** Largest radius and padding in units. */
const MAX_UNITS = 400;

/** The coloured area behind words: fill, corners, padding and shadow. */
export function PanelFields({ value, onChange, isDisabled }: PanelFieldsProps) {
  const { t } = useTranslation();
  const hasFill = value.fill.kind !== 'none';
  return (
    <>
      <PlainFill value={value.fill} isDisabled={isDisabled} onChange={(fill, kind) => onChange({ fill }, kind)} />
      <NumberField
        label={t('designer.text.padding')}
        value={value.padding}
        min={0}
        max={MAX_UNITS}
        step={4}
        isDisabled={isDisabled}
        onChange={(padding) => onChange({ padding: padding ?? 0 }, 'padding')}
      />
      {hasFill && (
        <>
          <NumberField
            label={t('designer.text.radius')}
            placeholder={t('designer.text.radiusOfBrand')}
            value={value.radius}
            min={0}
            max={MAX_UNITS}
            step={4}
            isDisabled={isDisabled}
            onChange={(radius) => onChange({ radius }, 'radius')}
          />
          <Switch isSelected={value.shadow} isDisabled={isDisabled} onChange={(shadow) => onChange({ shadow })}>
            {t('designer.text.shadow')}
          </Switch>
        </>
      )}
    </>
  );
}

type PlainFillProps = { value: Fill; onChange: (fill: Fill, kind?: string) => void; isDisabled: boolean };

/** A plain colour, or none. A gradient, pattern or picture stays until a colour is chosen. */
function PlainFill({ value, onChange, isDisabled }: PlainFillProps) {
  const { t } = useTranslation();
  return (
    <>
      <Switch
        isSelected={value.kind !== 'none'}
        isDisabled={isDisabled}
        onChange={(isOn) => onChange(isOn ? { kind: 'color', color: 'second' } : { kind: 'none' })}
      >
        {t('designer.text.behind')}
      </Switch>
      {value.kind !== 'none' && (
        <ColorChoice
          label={t('designer.text.behindColor')}
          value={value.kind === 'color' ? value.color : 'second'}
          isDisabled={isDisabled}
          onChange={(color) => onChange({ kind: 'color', color }, 'fill')}
        />
      )}
    </>
  );
}
