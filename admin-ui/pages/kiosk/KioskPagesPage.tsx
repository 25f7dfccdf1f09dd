import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { createKioskPage, type KioskPage, renderKioskPage } from '../../../shared/contract/content/kiosk.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { kioskPagesQuery } from '../../api/kiosk.ts';
import { client } from '../../api/requests/client.ts';
import { RenderedTile } from '../../domain/preview/RenderedTile.tsx';
import { TilePage } from '../../domain/records/TilePage.tsx';
import kioskDrawing from '../../drawings/kiosk.svg?raw';
import { buttonsIn, pagesIn } from './kiosk.utils.ts';
import './kiosk.css';

export function KioskPagesPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const query = useQuery(kioskPagesQuery);
  const pages = query.data ?? [];
  const create = useEdit({
    topics: ['kiosk'],
    // A new page starts with a button, since an empty page would explain nothing.
    run: () =>
      client.call(createKioskPage, {
        body: {
          name: t('kiosk.starterName'),
          config: { title: t('kiosk.starterTitle'), idle_title: t('kiosk.starterIdle') },
        },
      }),
    done: ({ id }) => void navigate({ to: '/kiosk/$kioskId', params: { kioskId: id } }),
  });
  return (
    <TilePage
      title={t('nav.kiosk')}
      lead={pages.length > 0 ? t('kiosk.lead') : undefined}
      query={query}
      records={pages}
      tile={20}
      tall={14}
      empty={{ drawing: kioskDrawing, title: t('kiosk.emptyTitle'), help: t('kiosk.emptyHelp') }}
      make={t('kiosk.new')}
      onMake={() => create.mutate()}
      isMaking={create.isPending}
    >
      {(page) => <KioskCard page={page} />}
    </TilePage>
  );
}

function KioskCard({ page }: { page: KioskPage }) {
  const { t } = useTranslation();
  const subpages = pagesIn(page.config);
  const buttons = buttonsIn(page.config).length + subpages.reduce((sum, one) => sum + one.buttons.length, 0);
  return (
    <Link to="/kiosk/$kioskId" params={{ kioskId: page.id }} className="tile">
      <RenderedTile name={page.name} url={client.url(renderKioskPage, { id: page.id })} version={page.updated_at} />
      <div className="tile-text">
        <h3 className="truncate">{page.name}</h3>
        <p>
          {[t('kiosk.countPages', { count: subpages.length + 1 }), t('kiosk.countButtons', { count: buttons })].join(
            ' · ',
          )}
        </p>
      </div>
    </Link>
  );
}
