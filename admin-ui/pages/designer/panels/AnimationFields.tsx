import { useTranslation } from 'react-i18next';
import type { Animation, Element } from '../../../../shared/design/elements.ts';
import { Select } from '../../../components/choices/Select.tsx';
import { NumberField } from '../../../components/fields/NumberField.tsx';

const KINDS = ['none', 'fade', 'rise', 'wipe', 'scale'] as const;
/** Kinds that only elements with words can have. */
const WORD_KINDS = ['letters', 'lines'] as const;
const SECOND_MS = 1000;
const MAX_DELAY_S = 20;
const [MIN_S, MAX_S] = [0.1, 5];
const FIRST: Animation = { kind: 'none', delay_ms: 0, ms: 600 };

type AnimationFieldsProps = {
  element: Element;
  change: (values: Partial<Pick<Element, 'enter' | 'exit'>>, kind?: string) => void;
  canEdit: boolean;
};

/** How an element appears and disappears on screens. */
export function AnimationFields({ element, change, canEdit }: AnimationFieldsProps) {
  return (
    <>
      {(['enter', 'exit'] as const).map((way) => (
        <OneAnimation
          key={way}
          way={way}
          hasWords={element.type === 'text'}
          value={element[way] ?? FIRST}
          isDisabled={!canEdit}
          onChange={(animation, kind) => change({ [way]: animation }, kind && `${way} ${kind}`)}
        />
      ))}
    </>
  );
}

type OneAnimationProps = {
  way: 'enter' | 'exit';
  hasWords: boolean;
  value: Animation;
  isDisabled: boolean;
  onChange: (animation: Animation, kind?: string) => void;
};

function OneAnimation({ way, hasWords, value, isDisabled, onChange }: OneAnimationProps) {
  const { t } = useTranslation();
  const kinds: readonly Animation['kind'][] = hasWords ? [...KINDS, ...WORD_KINDS] : KINDS;
  return (
    <>
      <Select
        label={t(`designer.animation.${way}`)}
        value={value.kind}
        isDisabled={isDisabled}
        options={kinds.map((kind) => ({ value: kind, label: t(`designer.animation.kinds.${kind}`) }))}
        onChange={(kind) => onChange({ ...value, kind })}
      />
      {value.kind !== 'none' && (
        <div className="field-pair">
          <NumberField
            label={t(way === 'enter' ? 'designer.animation.delay' : 'designer.animation.before')}
            value={value.delay_ms / SECOND_MS}
            min={0}
            max={MAX_DELAY_S}
            step={0.1}
            digits={1}
            unit="s"
            isDisabled={isDisabled}
            onChange={(seconds) => onChange({ ...value, delay_ms: Math.round((seconds ?? 0) * SECOND_MS) }, 'delay')}
          />
          <NumberField
            label={t('designer.animation.duration')}
            value={value.ms / SECOND_MS}
            min={MIN_S}
            max={MAX_S}
            step={0.1}
            digits={1}
            unit="s"
            isDisabled={isDisabled}
            onChange={(seconds) =>
              seconds !== null && onChange({ ...value, ms: Math.round(seconds * SECOND_MS) }, 'duration')
            }
          />
        </div>
      )}
    </>
  );
}
