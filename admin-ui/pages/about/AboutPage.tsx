import { useQuery } from '@tanstack/react-query';
import { ChevronRight, ScrollText } from 'lucide-react';
import { Fragment, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { useTranslation } from 'react-i18next';
import type { LicenceList, LicencePart } from '../../../shared/protocol/releases/licences.ts';
import { licencesQuery, versionQuery } from '../../api/files/licences.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/controls/Dialog.tsx';
import { SearchField } from '../../components/fields/SearchField.tsx';
import { Wordmark } from '../../components/frame/Brand.tsx';
import { Bone, Page, Section } from '../../components/frame/Page.tsx';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import { useFormat } from '../../i18n/useFormat.ts';
import { partsLike, readableLicence, titleOf } from './about.utils.ts';
import './about.css';

/** Page with the version, the licence of Vitrine, and the licences of the included software. */
export function AboutPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('about.title')} lead={t('about.lead')} narrow>
      <Everything />
    </Page>
  );
}

function Everything() {
  const { t } = useTranslation();
  const version = useQuery(versionQuery).data;
  const query = useQuery(licencesQuery);
  const [reading, setReading] = useState(false);
  const list = query.data;
  return (
    <>
      <div className="card pad about-own">
        <Wordmark />
        <p className="about-version">
          {version === undefined ? <Bone width="6rem" /> : t('about.version', { version })}
        </p>
        <p className="about-words">{t('about.free')}</p>
        {list && (
          <Button icon={ScrollText} onPress={() => setReading(true)}>
            {t('about.read')}
          </Button>
        )}
      </div>
      <Unanswered query={query} bones={<Bone height="20rem" radius="var(--r-l)" />} />
      {list && <Inside list={list} />}
      {list && reading && (
        <LicenceText
          title={`Vitrine ${list.vitrine.version}`}
          licence={list.vitrine.licence}
          texts={[list.vitrine.text]}
          onClose={() => setReading(false)}
        />
      )}
    </>
  );
}

/** List of the included third-party software, with a search by name. Each entry opens its licence. */
function Inside({ list }: { list: LicenceList }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState<LicencePart>();
  const groups = partsLike(list, typed);
  return (
    <div className="card pad">
      <Section
        title={t('about.inside')}
        lead={t('about.insideLead', { count: list.parts.length, n: format.number(list.parts.length) })}
      >
        <SearchField label={t('about.find')} value={typed} onChange={setTyped} />
        <p className="visually-hidden" role="status">
          {typed.trim() !== '' && t('about.found', { count: groups.reduce((sum, { parts }) => sum + parts.length, 0) })}
        </p>
        {groups.length === 0 && <p className="about-none">{t('about.none')}</p>}
        {groups.map(({ kind, parts }) => (
          <div key={kind} className="about-group">
            <h3>{t(`about.kinds.${kind}`)}</h3>
            <ul className="about-parts">
              {parts.map((part) => (
                <li key={titleOf(part)}>
                  <AriaButton className="about-part" onPress={() => setOpen(part)}>
                    <span className="about-name">
                      <strong>{part.name}</strong> <span>{part.version}</span>
                    </span>
                    <span className="about-licence">{readableLicence(part.licence)}</span>
                    <ChevronRight aria-hidden />
                  </AriaButton>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <p className="note">
          <a href="sbom.cdx.json" download="vitrine.cdx.json">
            {t('about.bill')}
          </a>{' '}
          {t('about.billHelp')}
        </p>
      </Section>
      {open && (
        <LicenceText
          title={titleOf(open)}
          licence={readableLicence(open.licence)}
          note={open.note}
          source={open.source}
          texts={open.texts.map((key) => list.texts[key] ?? '')}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  );
}

type LicenceTextProps = {
  title: string;
  licence: string;
  note?: string | null;
  source?: string | null;
  texts: readonly string[];
  onClose: () => void;
};

/** Dialog with the original text of a licence, in English and with its own line breaks. */
function LicenceText({ title, licence, note, source, texts, onClose }: LicenceTextProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={title} size="wide" onClose={onClose}>
      <dl className="facts">
        <dt>{t('about.licence')}</dt>
        <dd>{licence}</dd>
        {source && (
          <>
            <dt>{t('about.source')}</dt>
            <dd>
              <a href={source} target="_blank" rel="noreferrer">
                {source}
              </a>
            </dd>
          </>
        )}
      </dl>
      {note && <p lang="en">{note}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="licence-text" lang="en" tabIndex={0} aria-label={t('about.text')}>
        {texts.map((text, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change
          <Fragment key={i}>
            {i > 0 && <hr />}
            <pre>{text}</pre>
          </Fragment>
        ))}
      </section>
    </Dialog>
  );
}
