import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { createKioskPage, type KioskPage, renderKioskPage } from '../../../shared/contract/kiosk.ts';
import { Button } from '../../components/Button.tsx';
import { Bone, Empty, Page } from '../../components/Page.tsx';
import { QueryFailure } from '../../components/QueryFailure.tsx';
import { client } from '../../data/client.ts';
import { kioskPagesQuery } from '../../data/kiosk.ts';
import { useCanWrite } from '../../data/me.ts';
import { useEdit } from '../../data/useEdit.ts';
import { describeProblem } from '../../data/useProblem.ts';
import { Scaled } from '../../parts/Scaled.tsx';
import { KioskArt } from './KioskArt.tsx';
import { buttonsIn, pagesIn, sizes } from './kiosk.utils.ts';
import './kiosk.css';

export function KioskPagesPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const canWrite = useCanWrite();
  const query = useQuery(kioskPagesQuery);
  const pages = query.data ?? [];
  const create = useEdit({
    topics: ['kiosk'],
    // Begins with something to touch: an empty page teaches nothing.
    run: () => client.call(createKioskPage, { body: { name: t('kiosk.starterName'), config: { title: t('kiosk.starterTitle'), idle_title: t('kiosk.starterIdle') } } }),
    done: ({ id }) => void navigate({ to: '/kiosk/$kioskId', params: { kioskId: id } }),
  });
  const make = canWrite && (
    <Button icon={Plus} variant="primary" isPending={create.isPending} onPress={() => create.mutate()}>
      {t('kiosk.new')}
    </Button>
  );
  return (
    <Page title={t('kiosk.title')} lead={pages.length > 0 ? t('kiosk.lead') : undefined} actions={pages.length > 0 && make}>
      {query.isPending && (
        <div className="kiosk-grid" aria-hidden>
          {[0, 1, 2].map((i) => (
            <Bone key={i} height="14rem" radius="var(--r-xl)" />
          ))}
        </div>
      )}
      {query.isError && !query.data && <QueryFailure {...describeProblem(query.error, t)} onRetry={() => void query.refetch()} />}
      {query.isSuccess && pages.length === 0 && (
        <Empty art={<KioskArt />} title={t('kiosk.emptyTitle')} actions={make}>
          {t('kiosk.emptyHelp')}
        </Empty>
      )}
      {pages.length > 0 && (
        <ul className="kiosk-grid">
          {pages.map((page) => (
            <li key={page.id}>
              <KioskCard page={page} />
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}

function KioskCard({ page }: { page: KioskPage }) {
  const { t } = useTranslation();
  const subpages = pagesIn(page.config);
  const buttons = buttonsIn(page.config).length + subpages.reduce((sum, one) => sum + one.buttons.length, 0);
  return (
    <Link to="/kiosk/$kioskId" params={{ kioskId: page.id }} className="kiosk-card">
      <Scaled size={sizes.landscape}>
        {(style) => (
          <iframe
            title={page.name}
            src={`${client.url(renderKioskPage, { id: page.id })}?v=${page.updated_at}`}
            loading="lazy"
            sandbox="allow-scripts"
            tabIndex={-1}
            aria-hidden
            inert
            style={style}
          />
        )}
      </Scaled>
      <div className="kiosk-card-text">
        <h3 className="truncate">{page.name}</h3>
        <p>{[t('kiosk.countPages', { count: subpages.length + 1 }), t('kiosk.countButtons', { count: buttons })].join(' · ')}</p>
      </div>
    </Link>
  );
}
