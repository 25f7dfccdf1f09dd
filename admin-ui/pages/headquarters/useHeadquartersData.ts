import { useQuery } from '@tanstack/react-query';
import { chainQuery } from '../../api/chain/chain.ts';
import { useMe } from '../../api/session/me.ts';

export const useHeadquartersData = () => ({ query: useQuery(chainQuery), isHeadquarters: useMe().headquarters });
