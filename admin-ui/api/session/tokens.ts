import { listTokens } from '../../../shared/contract/people/tokens.ts';
import { queryOf } from '../requests/query.ts';

export const tokensQuery = queryOf(['tokens', 'list'], listTokens);
