import { countAlerts } from '../../shared/contract/server/alert-counts.ts';
import { queryOf } from './requests/query.ts';

export const alertCountsQuery = queryOf(['alerts', 'counts'], countAlerts);
