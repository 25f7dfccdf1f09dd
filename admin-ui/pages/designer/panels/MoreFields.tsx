import { useTranslation } from 'react-i18next';
import type { Element } from '../../../../shared/design/elements.ts';
import { Switch } from '../../../components/choices/Choices.tsx';
import { TextField } from '../../../components/fields/TextField.tsx';
import { RangeField } from './RangeField.tsx';

const PERCENT = 100;

type MoreFieldsProps = {
  element: Element;
  change: (values: Partial<Element>, kind?: string) => void;
  canEdit: boolean;
};

/** Rarely used properties of every element: opacity, name, and whether other people may fill it. */
export function MoreFields({ element, change, canEdit }: MoreFieldsProps) {
  const { t } = useTranslation();
  const isDisabled = !canEdit;
  return (
    <>
      <RangeField
        label={t('designer.more.opacity')}
        value={Math.round(element.opacity * PERCENT)}
        min={0}
        max={PERCENT}
        unit="%"
        isDisabled={isDisabled}
        onChange={(percent) => change({ opacity: percent / PERCENT }, 'opacity')}
      />
      <Switch
        hint={t('designer.more.fillableHint')}
        isSelected={element.fillable}
        isDisabled={isDisabled}
        onChange={(fillable) => change({ fillable })}
      >
        {t('designer.more.fillable')}
      </Switch>
      <TextField
        label={t('designer.elementName')}
        value={element.name}
        isDisabled={isDisabled}
        maxLength={80}
        onChange={(name) => change({ name }, 'name')}
      />
    </>
  );
}
