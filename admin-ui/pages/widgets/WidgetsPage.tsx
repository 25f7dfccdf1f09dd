import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type WidgetType, widgetTypeNames } from '../../../shared/contract/content/widget-types.ts';
import { createWidget, renderWidget, type Widget } from '../../../shared/contract/content/widgets.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { useHidden } from '../../api/editing/useRemovals.ts';
import { client } from '../../api/requests/client.ts';
import { widgetsQuery } from '../../api/widgets.ts';
import { Dialog } from '../../components/controls/Dialog.tsx';
import { useOneStop } from '../../components/keyboard/useOneStop.ts';
import { RenderedTile } from '../../domain/preview/RenderedTile.tsx';
import { TilePage } from '../../domain/records/TilePage.tsx';
import { ManagedMark } from '../../domain/saving/ManagedMark.tsx';
import widgetsDrawing from '../../drawings/widgets.svg?raw';
import { iconOf, starterOf } from './widget.utils.ts';
import './widgets.css';

export function WidgetsPage() {
  const { t } = useTranslation();
  const query = useQuery(widgetsQuery);
  const hidden = useHidden();
  const widgets = (query.data ?? []).filter(({ id }) => !hidden.has(`widget:${id}`));
  return (
    <TilePage
      kind="widget"
      title={t('nav.widgets')}
      lead={widgets.length > 0 ? t('widgets.lead', { count: widgets.length }) : undefined}
      query={query}
      records={widgets}
      tile={17}
      tall={14}
      empty={{ drawing: widgetsDrawing, title: t('widgets.emptyTitle'), help: t('widgets.emptyHelp') }}
      make={t('widgets.new')}
      dialog={(onClose) => <NewWidget onClose={onClose} />}
    >
      {(widget) => <WidgetCard widget={widget} />}
    </TilePage>
  );
}

function WidgetCard({ widget }: { widget: Widget }) {
  const { t } = useTranslation();
  const Icon = iconOf[widget.widget_type];
  return (
    <Link to="/widgets/$widgetId" params={{ widgetId: widget.id }} className="tile">
      <RenderedTile name={widget.name} url={client.url(renderWidget, { id: widget.id })} version={widget.updated_at} />
      <div className="tile-text widget-text">
        <Icon aria-hidden />
        <div>
          <h3 className="truncate">{widget.name}</h3>
          <p>{t(`widgets.type.${widget.widget_type}`)}</p>
          <ManagedMark kind="widget" id={widget.id} />
        </div>
      </div>
    </Link>
  );
}

/** Dialog with the types of widgets. One click creates a widget and opens its page. */
function NewWidget({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const list = useOneStop<HTMLUListElement>();
  const create = useEdit<WidgetType, { id: string }>({
    topics: ['widgets'],
    run: (widget_type) =>
      client.call(createWidget, {
        body: { widget_type, name: t(`widgets.type.${widget_type}`), config: starterOf(widget_type, t) },
      }),
    done: ({ id }) => void navigate({ to: '/widgets/$widgetId', params: { widgetId: id } }),
  });
  return (
    <Dialog title={t('widgets.newTitle')} size="wide" onClose={onClose}>
      <p>{t('widgets.newLead')}</p>
      <ul className="type-list" {...list}>
        {widgetTypeNames.map((type) => {
          const Icon = iconOf[type];
          return (
            <li key={type}>
              <button
                type="button"
                className="type-card"
                disabled={create.isPending}
                onClick={() => create.mutate(type)}
              >
                <Icon aria-hidden />
                <span>
                  <strong>{t(`widgets.type.${type}`)}</strong>
                  <small>{t(`widgets.about.${type}`)}</small>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}
