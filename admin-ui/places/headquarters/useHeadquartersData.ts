import { useQuery } from '@tanstack/react-query';
import { chainQuery } from '../../data/chain.ts';
import { useMe } from '../../data/me.ts';

export const useHeadquartersData = () => ({ query: useQuery(chainQuery), isHeadquarters: useMe().headquarters });
