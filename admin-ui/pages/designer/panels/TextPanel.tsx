import { TextCursorInput } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { plainText } from '../../../../shared/design/rich-text.ts';
import { Switch } from '../../../components/choices/Choices.tsx';
import { Select } from '../../../components/choices/Select.tsx';
import { Button } from '../../../components/controls/Button.tsx';
import { NumberField } from '../../../components/fields/NumberField.tsx';
import { BehindFields } from './LookFields.tsx';
import type { EditingPanelProps } from './panelProps.ts';
import { TextualFields } from './TextualFields.tsx';
import './text.css';

const MAX_SIZE = 1000;
const MAX_TEXT_COLUMNS = 4;

/** Words and look of a text. Words are typed on the picture. */
export function TextPanel({ element, change, canEdit, edits }: EditingPanelProps<'text'>) {
  const { t } = useTranslation();
  const isDisabled = !canEdit;
  return (
    <>
      <div className="text-words">
        <p>{plainText(element.text)}</p>
        {canEdit && (
          <Button
            size="small"
            icon={TextCursorInput}
            isDisabled={edits.typing === element.id}
            onPress={() => edits.type(element.id)}
          >
            {t('designer.text.type')}
          </Button>
        )}
      </div>
      <TextualFields value={element} maxSize={MAX_SIZE} isDisabled={isDisabled} onChange={change} />
      <Switch isSelected={element.uppercase} isDisabled={isDisabled} onChange={(uppercase) => change({ uppercase })}>
        {t('designer.text.uppercase')}
      </Switch>
      <NumberField
        label={t('designer.text.columns')}
        value={element.columns}
        min={1}
        max={MAX_TEXT_COLUMNS}
        isDisabled={isDisabled}
        onChange={(columns) => change({ columns: columns ?? 1 }, 'columns')}
      />
      <Select
        label={t('designer.text.overflow')}
        value={element.overflow}
        isDisabled={isDisabled}
        options={(['shrink', 'wrap', 'cut'] as const).map((overflow) => ({
          value: overflow,
          label: t(`designer.text.overflows.${overflow}`),
        }))}
        onChange={(overflow) => change({ overflow })}
      />
      <BehindFields element={element} change={change} canEdit={canEdit} />
    </>
  );
}
