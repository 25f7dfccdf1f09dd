import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Bone, Empty, Page } from '../../components/Page.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import helpDrawing from '../../drawings/nothing-found.svg?raw';
import { ownLanguage } from '../../i18n/language.ts';
import { type KeyPlace, type KeyTexts, keysInWords, keyTable } from './keys.ts';
import { places, type Topic, type TopicId, topicsLike } from './topics.ts';
import '../../components/Table.css';
import './help.css';

const pictures = import.meta.glob<string>('./pictures/*.webp', { eager: true, query: '?url', import: 'default' });
const texts = {
  en: () => import('./topics.en.ts').then(({ topics }) => topics),
  de: () => import('./topics.de.ts').then(({ topics }) => topics),
};

/** How everything is done, in the person's language, with pictures of this very window. Needs no network but the server. */
export function HelpPage() {
  const { t, i18n } = useTranslation();
  const language = ownLanguage();
  const topics = useQuery({
    queryKey: ['help', i18n.language],
    queryFn: texts[language],
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
  const navigate = useNavigate({ from: '/settings/help' });
  const { q = '' } = useSearch({ from: '/shell/tabs/settings/help' });
  const found = topics && (topicsLike(topics, q) as typeof topics);
  return (
    <Page title={t('help.title')} lead={t('help.lead')}>
      <div className="toolbar">
        <SearchField
          label={t('help.search')}
          value={q}
          onChange={(text) => void navigate({ search: text ? { q: text } : {}, replace: true, resetScroll: false })}
        />
      </div>
      {!found && <Bone height="24rem" radius="var(--r-l)" />}
      {found?.length === 0 && (
        <Empty drawing={helpDrawing} title={t('help.none')}>
          {t('help.noneHelp')}
        </Empty>
      )}
      {found && found.length > 0 && (
        <div className="help">
          <nav className="help-contents" aria-label={t('help.contents')}>
            <ol>
              {found.map(({ id, title }) => (
                <li key={id}>
                  <a
                    href={`#help-${id}`}
                    onClick={(event) => {
                      event.preventDefault();
                      const topic = document.getElementById(`help-${id}`);
                      topic?.scrollIntoView();
                      topic?.focus({ preventScroll: true });
                    }}
                  >
                    {title}
                  </a>
                </li>
              ))}
            </ol>
          </nav>
          <div className="help-topics">
            {found.map((topic) => (
              <HelpTopic key={topic.id} topic={topic} language={language} />
            ))}
          </div>
        </div>
      )}
    </Page>
  );
}

function HelpTopic({ topic, language }: { topic: Topic & { id: TopicId }; language: 'en' | 'de' }) {
  const { t } = useTranslation();
  const { id, title, lead, steps = [], notes = [], keys } = topic;
  const { path, picture } = places[id];
  const src = picture && pictures[`./pictures/${picture}.${language}.webp`];
  return (
    <article id={`help-${id}`} className="card pad help-topic" tabIndex={-1}>
      <h2>{title}</h2>
      <p className="help-lead">{lead}</p>
      {steps.length > 0 && (
        <ol>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
      {src && <img src={src} alt={t('help.picture', { title })} loading="lazy" width={960} height={600} />}
      {keys && <Keys texts={keys} />}
      {notes.length > 0 && (
        <ul>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {path && (
        <Link to={path} className="button secondary small">
          {t('help.open')}
          <ArrowRight aria-hidden />
        </Link>
      )}
    </article>
  );
}

/** What each key does, place by place. */
function Keys({ texts }: { texts: KeyTexts }) {
  return (Object.keys(keyTable) as KeyPlace[]).map((place) => (
    <table key={place} className="help-keys">
      <caption>{texts.places[place]}</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{texts.key}</th>
          <th scope="col">{texts.does}</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(keyTable[place]).map(([keys, deed]) => (
          <tr key={keys}>
            <th scope="row">
              {keysInWords(keys, texts).map((chord) => (
                <span key={chord.join()} className="help-chord">
                  {chord.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </span>
              ))}
            </th>
            <td>{texts.deeds[deed]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  ));
}
