import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchField } from '../../../components/fields/SearchField.tsx';
import { useOneStop } from '../../../components/keyboard/useOneStop.ts';
import { ColorChoice } from './ColorChoice.tsx';
import { IconDrawing } from './IconDrawing.tsx';
import { foundIcons, iconName } from './icon.utils.ts';
import type { PanelProps } from './panelProps.ts';

/** Choice of an icon by words in the language of the window, and its colour. */
export function IconPanel({ element, change, canEdit }: PanelProps<'icon'>) {
  const { t, i18n } = useTranslation();
  const [text, setText] = useState('');
  const icons = foundIcons(useDeferredValue(text));
  const list = useOneStop<HTMLUListElement>();
  return (
    <>
      {canEdit && (
        <>
          <SearchField label={t('designer.icon.search')} value={text} onChange={setText} />
          <ul className="icon-choice" aria-label={t('designer.icon.all')} {...list}>
            {icons.map((name) => (
              <li key={name}>
                <button
                  type="button"
                  aria-label={iconName(name, i18n.language)}
                  title={iconName(name, i18n.language)}
                  aria-pressed={element.icon === name}
                  onClick={() => change({ icon: name })}
                >
                  <IconDrawing name={name} />
                </button>
              </li>
            ))}
          </ul>
          {icons.length === 0 && <p className="field-hint">{t('designer.icon.none')}</p>}
        </>
      )}
      <ColorChoice
        label={t('designer.icon.color')}
        value={element.color}
        isDisabled={!canEdit}
        onChange={(color) => change({ color }, 'color')}
      />
    </>
  );
}
