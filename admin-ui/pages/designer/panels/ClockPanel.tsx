import { useTranslation } from 'react-i18next';
import { Segments } from '../../../components/choices/Choices.tsx';
import { TextLook } from './LookFields.tsx';
import type { PanelProps } from './panelProps.ts';

/** What a clock shows, and its look. */
export function ClockPanel({ element, change, canEdit }: PanelProps<'clock'>) {
  const { t } = useTranslation();
  return (
    <>
      <Segments
        label={t('designer.clock.shows')}
        value={element.shows}
        isDisabled={!canEdit}
        onChange={(shows) => change({ shows })}
        options={(['time', 'date', 'both'] as const).map((value) => ({
          value,
          label: t(`designer.clock.kinds.${value}`),
        }))}
      />
      <TextLook element={element} change={change} canEdit={canEdit} />
    </>
  );
}
