import { getWall, listWalls } from '../../shared/contract/walls.ts';
import { queryOf, recordQueryOf } from './query.ts';

export const wallsQuery = queryOf(['walls', 'list'], listWalls);

export const wallQuery = (id: string) => recordQueryOf(['walls', 'one', id], getWall, id, 'wall');
