import { countAlerts } from '../../shared/contract/alert-counts.ts';
import { queryOf } from './query.ts';

export const alertCountsQuery = queryOf(['alerts', 'counts'], countAlerts);
