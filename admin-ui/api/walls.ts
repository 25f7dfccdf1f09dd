import { getWall, listWalls } from '../../shared/contract/screens/walls.ts';
import { queryOf, recordQueryOf } from './requests/query.ts';

export const wallsQuery = queryOf(['walls', 'list'], listWalls);

export const wallQuery = (id: string) => recordQueryOf(['walls', 'one', id], getWall, id, 'wall');
