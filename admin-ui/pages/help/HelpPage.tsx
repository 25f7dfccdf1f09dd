import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowRight, ChevronLeft } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNameOfPage } from '../../api/editing/pageTitle.ts';
import { Button } from '../../components/controls/Button.tsx';
import { SearchField } from '../../components/fields/SearchField.tsx';
import { Bone, Empty, Page } from '../../components/frame/Page.tsx';
import helpDrawing from '../../drawings/nothing-found.svg?raw';
import { ownLanguage } from '../../i18n/language.ts';
import { type KeyPlace, type KeyTexts, keysInWords, keyTable } from './keys.ts';
import { places, type Topic, type TopicId, topicsLike } from './topics.ts';
import '../../components/lists/Table.css';
import './help.css';

const pictures = import.meta.glob<string>('./pictures/*.webp', { eager: true, query: '?url', import: 'default' });
const texts = {
  en: () => import('./topics.en.ts').then(({ topics }) => topics),
  de: () => import('./topics.de.ts').then(({ topics }) => topics),
};
type Known = Topic & { id: TopicId };

/**
 * The handbook in the user's language with pictures of this window: a list of topics, or one topic. Needs no network
 * except the server.
 */
export function HelpPage() {
  const { i18n } = useTranslation();
  const topics = useQuery({
    queryKey: ['help', i18n.language],
    queryFn: texts[ownLanguage()],
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
  const { q = '', topic } = useSearch({ from: '/shell/tabs/settings/help' });
  const chosen = topics?.find(({ id }) => id === topic);
  useNameOfPage(chosen?.title);
  if (!topics) return <Bone height="24rem" radius="var(--r-l)" />;
  if (chosen) return <OneTopic topic={chosen} topics={topics} />;
  return <AllTopics topics={topicsLike(topics, q) as Known[]} q={q} />;
}

function AllTopics({ topics, q }: { topics: readonly Known[]; q: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/settings/help' });
  const search = (text: string) =>
    void navigate({ search: text ? { q: text } : {}, replace: true, resetScroll: false });
  return (
    <Page title={t('help.title')} lead={t('help.lead')}>
      <div className="toolbar">
        <SearchField label={t('help.search')} value={q} onChange={search} />
      </div>
      {topics.length === 0 && (
        <Empty
          drawing={helpDrawing}
          title={t('help.none')}
          actions={<Button onPress={() => search('')}>{t('find.showAll')}</Button>}
        >
          {t('help.noneHelp')}
        </Empty>
      )}
      <ul className="help-list">
        {topics.map(({ id, title, lead }) => (
          <li key={id}>
            <Link to="/settings/help" search={{ ...(q && { q }), topic: id }} className="tile">
              <strong>{title}</strong>
              <p>{lead}</p>
            </Link>
          </li>
        ))}
      </ul>
    </Page>
  );
}

function OneTopic({ topic, topics }: { topic: Known; topics: readonly Known[] }) {
  const { t } = useTranslation();
  const { id, title, lead, steps = [], notes = [], keys } = topic;
  const { path, picture } = places[id];
  const { q } = useSearch({ from: '/shell/tabs/settings/help' });
  const src = picture && pictures[`./pictures/${picture}.${ownLanguage()}.webp`];
  return (
    <Page
      before={
        <Link to="/settings/help" search={q ? { q } : {}} className="crumb">
          <ChevronLeft aria-hidden />
          {t('help.all')}
        </Link>
      }
      title={title}
      lead={lead}
      actions={
        path && (
          <Link to={path} className="button secondary">
            {t('help.open')}
            <ArrowRight aria-hidden />
          </Link>
        )
      }
    >
      <div className="help">
        <article className="help-topic">
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
        </article>
        <nav className="help-contents" aria-label={t('help.contents')}>
          <ul>
            {topics.map((one) => (
              <li key={one.id}>
                <Link to="/settings/help" search={{ topic: one.id }} {...(one.id === id && { 'aria-current': 'page' })}>
                  {one.title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </Page>
  );
}

/** Table with the keyboard shortcuts of each page. */
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
