import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useTranslation } from 'react-i18next';
import type { LicenceList, LicencePart } from '../../../shared/protocol/licences.ts';
import { Section } from '../../components/Page.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { useFormat } from '../../i18n/useFormat.ts';
import { partsLike, readableLicence, titleOf } from './about.utils.ts';
import { LicenceText } from './LicenceText.tsx';

/** Everything of others that is inside, found by name; each opens its licence. */
export function Inside({ list }: { list: LicenceList }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState<LicencePart>();
  const groups = partsLike(list, typed);
  return (
    <div className="card about-card">
      <Section title={t('about.inside')} lead={t('about.insideLead', { count: list.parts.length, n: format.number(list.parts.length) })}>
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
                  <Button className="about-part" onPress={() => setOpen(part)}>
                    <span className="about-name">
                      <strong>{part.name}</strong> <span>{part.version}</span>
                    </span>
                    <span className="about-licence">{readableLicence(part.licence)}</span>
                    <ChevronRight aria-hidden />
                  </Button>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <p className="about-bill">
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
