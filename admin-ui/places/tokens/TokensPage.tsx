import { useQuery } from '@tanstack/react-query';
import { ExternalLink, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Bone, Empty, Page } from '../../components/Page.tsx';
import { QueryFailure } from '../../components/QueryFailure.tsx';
import { useNow } from '../../components/useNow.ts';
import { tokensQuery } from '../../data/tokens.ts';
import { describeProblem } from '../../data/useProblem.ts';
import keyDrawing from '../../drawings/key.svg?raw';
import { MakeToken } from './MakeToken.tsx';
import { TokenRow } from './TokenRow.tsx';
import './tokens.css';
import { inForce } from './tokens.utils.ts';

export function TokensPage() {
  const { t } = useTranslation();
  const [making, setMaking] = useState(false);
  return (
    <Page
      title={t('tokens.title')}
      lead={t('tokens.lead')}
      narrow
      actions={
        <Button icon={Plus} variant="primary" onPress={() => setMaking(true)}>
          {t('tokens.make')}
        </Button>
      }
    >
      <TokenList />
      <p>
        <a href="/api/docs" target="_blank" rel="noreferrer" className="tokens-docs">
          {t('tokens.docs')}
          <ExternalLink aria-hidden />
        </a>
      </p>
      {making && <MakeToken onClose={() => setMaking(false)} />}
    </Page>
  );
}

function TokenList() {
  const { t } = useTranslation();
  const now = useNow();
  const query = useQuery(tokensQuery);
  if (query.isError && !query.data) return <QueryFailure {...describeProblem(query.error, t)} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Bone height="10rem" radius="var(--r-l)" />;
  const newestFirst = [...query.data].reverse();
  const living = newestFirst.filter((token) => inForce(token, now));
  const old = newestFirst.filter((token) => !inForce(token, now));
  if (query.data.length === 0) {
    return (
      <Empty drawing={keyDrawing} title={t('tokens.emptyTitle')}>
        {t('tokens.emptyHelp')}
      </Empty>
    );
  }
  return (
    <>
      {living.length === 0 ? (
        <p className="tokens-none">{t('tokens.none')}</p>
      ) : (
        <ul className="table-box">
          {living.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </ul>
      )}
      {old.length > 0 && (
        <details className="tokens-old">
          <summary>{t('tokens.old', { count: old.length })}</summary>
          <ul className="table-box">
            {old.map((token) => (
              <TokenRow key={token.id} token={token} dead />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
