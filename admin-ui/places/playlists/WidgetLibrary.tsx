import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Widget } from '../../../shared/contract/widgets.ts';
import { ButtonLink, IconButton } from '../../components/Button.tsx';
import { widgetsQuery } from '../../data/widgets.ts';

/** Widgets that can be put into a playlist. */
export function WidgetLibrary({ onAdd }: { onAdd: (widget: Widget) => void }) {
  const { t } = useTranslation();
  const query = useQuery(widgetsQuery);
  if (query.data?.length === 0) {
    return (
      <>
        <p className="field-hint">{t('dayparts.noWidgets')}</p>
        <ButtonLink to="/widgets" size="small">
          {t('dayparts.toWidgets')}
        </ButtonLink>
      </>
    );
  }
  return (
    <ul className="widget-list">
      {(query.data ?? []).map((widget) => (
        <li key={widget.id}>
          <span className="truncate">
            {widget.name}
            <small>{t(`widgets.type.${widget.widget_type}`)}</small>
          </span>
          <IconButton icon={Plus} size="small" label={t('playlist.addItem', { name: widget.name })} onPress={() => onAdd(widget)} />
        </li>
      ))}
    </ul>
  );
}
