import { useTranslation } from 'react-i18next';
import { Segments } from '../../../components/choices/Choices.tsx';
import { TextField } from '../../../components/fields/TextField.tsx';
import { TextLook } from './LookFields.tsx';
import type { PanelProps } from './panelProps.ts';

const MINUTE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/** End of a countdown, how it is shown, and the text after it. */
export function CountdownPanel({ element, change, canEdit }: PanelProps<'countdown'>) {
  const { t } = useTranslation();
  return (
    <>
      <TextField
        label={t('designer.countdown.until')}
        hint={t('designer.countdown.untilHint')}
        type="datetime-local"
        value={element.until}
        isDisabled={!canEdit}
        onChange={(until) => MINUTE.test(until) && change({ until }, 'until')}
      />
      <Segments
        label={t('designer.countdown.shows')}
        value={element.shows}
        isDisabled={!canEdit}
        onChange={(shows) => change({ shows })}
        options={(['units', 'date'] as const).map((value) => ({
          value,
          label: t(`designer.countdown.kinds.${value}`),
        }))}
      />
      <TextField
        label={t('designer.countdown.after')}
        hint={t('designer.countdown.afterHint')}
        value={element.after}
        isDisabled={!canEdit}
        maxLength={200}
        onChange={(after) => change({ after }, 'after')}
      />
      <TextLook element={element} change={change} canEdit={canEdit} />
    </>
  );
}
