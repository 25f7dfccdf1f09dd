import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type WidgetType, widgetTypeNames } from '../../../shared/contract/widget-types.ts';
import { createWidget } from '../../../shared/contract/widgets.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { client } from '../../data/client.ts';
import { useEdit } from '../../data/useEdit.ts';
import { iconOf, starterOf } from './widget.utils.ts';

/** One click makes it; its page opens with the preview. */
export function NewWidget({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
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
      <ul className="type-list">
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
