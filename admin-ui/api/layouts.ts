import { getLayout, listLayouts } from '../../shared/contract/content/layouts.ts';
import { queryOf, recordQueryOf } from './requests/query.ts';

/** Query for the layouts of the workspace and the templates. */
export const layoutsQuery = queryOf(['layouts', 'list'], listLayouts);

export const layoutQuery = (id: string) => recordQueryOf(['layouts', 'one', id], getLayout, id, 'layout');
