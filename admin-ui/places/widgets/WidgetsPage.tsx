import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { renderWidget, type Widget } from '../../../shared/contract/widgets.ts';
import { Button } from '../../components/Button.tsx';
import { Bone, Empty, Page } from '../../components/Page.tsx';
import { QueryFailure } from '../../components/QueryFailure.tsx';
import { client } from '../../data/client.ts';
import { useCanWrite } from '../../data/me.ts';
import { describeProblem } from '../../data/useProblem.ts';
import { useHidden } from '../../data/useRemovals.ts';
import { widgetsQuery } from '../../data/widgets.ts';
import { Scaled } from '../../parts/Scaled.tsx';
import { NewWidget } from './NewWidget.tsx';
import { WidgetsArt } from './WidgetsArt.tsx';
import { iconOf, sizes } from './widget.utils.ts';
import './widgets.css';

export function WidgetsPage() {
  const { t } = useTranslation();
  const canWrite = useCanWrite();
  const query = useQuery(widgetsQuery);
  const hidden = useHidden();
  const [making, setMaking] = useState(false);
  const widgets = (query.data ?? []).filter(({ id }) => !hidden.has(`widget:${id}`));
  const make = canWrite && (
    <Button icon={Plus} variant="primary" onPress={() => setMaking(true)}>
      {t('widgets.new')}
    </Button>
  );
  return (
    <Page title={t('widgets.title')} lead={widgets.length > 0 ? t('widgets.lead', { count: widgets.length }) : undefined} actions={widgets.length > 0 && make}>
      {query.isPending && (
        <div className="widget-grid" aria-hidden>
          {[0, 1, 2].map((i) => (
            <Bone key={i} height="14rem" radius="var(--r-xl)" />
          ))}
        </div>
      )}
      {query.isError && !query.data && <QueryFailure {...describeProblem(query.error, t)} onRetry={() => void query.refetch()} />}
      {query.isSuccess && widgets.length === 0 && (
        <Empty art={<WidgetsArt />} title={t('widgets.emptyTitle')} actions={make}>
          {t('widgets.emptyHelp')}
        </Empty>
      )}
      {widgets.length > 0 && (
        <ul className="widget-grid">
          {widgets.map((widget) => (
            <li key={widget.id}>
              <WidgetCard widget={widget} />
            </li>
          ))}
        </ul>
      )}
      {making && <NewWidget onClose={() => setMaking(false)} />}
    </Page>
  );
}

function WidgetCard({ widget }: { widget: Widget }) {
  const { t } = useTranslation();
  const Icon = iconOf[widget.widget_type];
  return (
    <Link to="/widgets/$widgetId" params={{ widgetId: widget.id }} className="widget-card">
      <Scaled size={sizes.landscape}>
        {(style) => (
          // A new address when it has changed: else the frame would keep the old page.
          <iframe
            title={widget.name}
            src={`${client.url(renderWidget, { id: widget.id })}?v=${widget.updated_at}`}
            loading="lazy"
            sandbox="allow-scripts"
            tabIndex={-1}
            aria-hidden
            inert
            style={style}
          />
        )}
      </Scaled>
      <div className="widget-card-text">
        <Icon aria-hidden />
        <div>
          <h3 className="truncate">{widget.name}</h3>
          <p>{t(`widgets.type.${widget.widget_type}`)}</p>
        </div>
      </div>
    </Link>
  );
}
