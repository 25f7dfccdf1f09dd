import { getWidget, listWidgets } from '../../shared/contract/widgets.ts';
import { queryOf, recordQueryOf } from './query.ts';

export const widgetsQuery = queryOf(['widgets', 'list'], listWidgets);

export const widgetQuery = (id: string) => recordQueryOf(['widgets', 'one', id], getWidget, id, 'widget');
