import { getLayout, listLayouts } from '../../shared/contract/layouts.ts';
import { queryOf, recordQueryOf } from './query.ts';

/** Layouts of the workspace, and the templates. */
export const layoutsQuery = queryOf(['layouts', 'list'], listLayouts);

export const layoutQuery = (id: string) => recordQueryOf(['layouts', 'one', id], getLayout, id, 'layout');
