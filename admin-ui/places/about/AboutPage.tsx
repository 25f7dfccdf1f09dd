import { useQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Wordmark } from '../../components/Brand.tsx';
import { Button } from '../../components/Button.tsx';
import { Bone, Page } from '../../components/Page.tsx';
import { QueryFailure } from '../../components/QueryFailure.tsx';
import { licencesQuery, versionQuery } from '../../data/licences.ts';
import { describeProblem } from '../../data/useProblem.ts';
import './about.css';
import { Inside } from './Inside.tsx';
import { LicenceText } from './LicenceText.tsx';

/** Which version this is, and under which licences it and what is inside of it stand. */
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
      <div className="card about-card about-own">
        <Wordmark />
        <p className="about-version">{version === undefined ? <Bone width="6rem" /> : t('about.version', { version })}</p>
        <p className="about-words">{t('about.free')}</p>
        {list && (
          <Button icon={ScrollText} onPress={() => setReading(true)}>
            {t('about.read')}
          </Button>
        )}
      </div>
      {query.isPending && <Bone height="20rem" radius="var(--r-l)" />}
      {query.isError && !list && <QueryFailure {...describeProblem(query.error, t)} onRetry={() => void query.refetch()} />}
      {list && <Inside list={list} />}
      {list && reading && <LicenceText title={`Vitrine ${list.vitrine.version}`} licence={list.vitrine.licence} texts={[list.vitrine.text]} onClose={() => setReading(false)} />}
    </>
  );
}
