import { useTranslation } from 'react-i18next';
import { Switch } from '../../../components/choices/Choices.tsx';
import { MediaFields } from './MediaFields.tsx';
import { MoreSection } from './MoreSection.tsx';
import type { PanelProps } from './panelProps.ts';
import { RadiusField } from './RadiusField.tsx';

/** A picture or clip of the content, its corners and its shadow. */
export function MediaPanel({ element, change, canEdit }: PanelProps<'media'>) {
  const { t } = useTranslation();
  return (
    <>
      <MediaFields value={element.media} isDisabled={!canEdit} onChange={(media, kind) => change({ media }, kind)} />
      <MoreSection title={t('designer.look.frame')}>
        <RadiusField value={element.radius} isDisabled={!canEdit} onChange={(radius) => change({ radius }, 'radius')} />
        <Switch isSelected={element.shadow} isDisabled={!canEdit} onChange={(shadow) => change({ shadow })}>
          {t('designer.look.shadow')}
        </Switch>
      </MoreSection>
    </>
  );
}
