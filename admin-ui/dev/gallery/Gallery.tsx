import { Moon, Sun } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { Language } from '../../../shared/contract/people/language.ts';
import { changeTheme, currentTheme, onTheme } from '../../api/session/theme.ts';
import { Segments } from '../../components/choices/Choices.tsx';
import { Toasts } from '../../components/controls/Toasts.tsx';
import { changeLanguage } from '../../i18n/i18n.ts';
import { choices } from './choices.tsx';
import { controls } from './controls.tsx';
import { domain } from './domain.tsx';
import { fields } from './fields.tsx';
import { frame } from './frame.tsx';
import { keyboard } from './keyboard.tsx';
import { lists } from './lists.tsx';
import type { Say, Section, Shown } from './story.tsx';

const sections: readonly Section[] = [fields, choices, controls, frame, lists, keyboard, domain];

const subscribeToHash = (listener: () => void) => {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
};

/** Writes a choice into the address, so that a copied address shows the same. */
const writeParameter = (name: string, value: string): void => {
  const address = new URL(location.href);
  address.searchParams.set(name, value);
  history.replaceState(null, '', address);
};

const systemTheme = () => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');

export function Gallery() {
  const { i18n } = useTranslation();
  const language = i18n.language as Language;
  const theme = useSyncExternalStore(onTheme, currentTheme);
  const hash = useSyncExternalStore(subscribeToHash, () => location.hash.slice(1));
  const section = sections.find(({ folder }) => folder === hash) ?? sections[0]!;
  const say: Say = (english, german) => (language === 'de' ? german : english);
  return (
    <div className="gallery">
      <header className="gallery-head">
        <nav aria-label="Sections">
          {sections.map(({ folder }) => (
            <a key={folder} href={`#${folder}`} {...(folder === section.folder && { 'aria-current': 'page' })}>
              {folder}
            </a>
          ))}
        </nav>
        <Segments
          label="Theme"
          value={theme === 'system' ? systemTheme() : theme}
          onChange={(next) => {
            changeTheme(next);
            writeParameter('theme', next);
          }}
          options={[
            { value: 'light', label: 'Light', icon: Sun },
            { value: 'dark', label: 'Dark', icon: Moon },
          ]}
        />
        <Segments
          label="Language"
          value={language}
          onChange={(next) => {
            writeParameter('language', next);
            void changeLanguage(next);
          }}
          options={[
            { value: 'en', label: 'English' },
            { value: 'de', label: 'Deutsch' },
          ]}
        />
      </header>
      <main id="pane" className="gallery-pane" data-section={section.folder} key={section.folder}>
        <h1>{section.folder}</h1>
        {section.shown.map((shown) => (
          <Stories key={shown.name} shown={shown} say={say} />
        ))}
      </main>
      <Toasts />
    </div>
  );
}

function Stories({ shown: { name, states, isWide }, say }: { shown: Shown; say: Say }) {
  return (
    <section className="gallery-component" aria-labelledby={`of-${name}`}>
      <h2 id={`of-${name}`}>{name}</h2>
      <div className={isWide ? 'gallery-states wide' : 'gallery-states'}>
        {Object.entries(states).map(([state, story]) => (
          <figure key={state} className="gallery-story" data-story={`${name}: ${state}`}>
            <figcaption>{state}</figcaption>
            <div className="gallery-stage">{story(say)}</div>
          </figure>
        ))}
      </div>
    </section>
  );
}
