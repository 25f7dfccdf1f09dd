import { listTokens } from '../../shared/contract/tokens.ts';
import { queryOf } from './query.ts';

export const tokensQuery = queryOf(['tokens', 'list'], listTokens);
