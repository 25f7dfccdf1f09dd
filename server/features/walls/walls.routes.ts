import { success } from '../../../shared/contract/fields.ts';
import {
  createWall,
  deleteWall,
  getDeviceWallConfig,
  getWall,
  listWalls,
  replaceWallDevices,
  setWallContent,
  updateWall,
} from '../../../shared/contract/screens/walls.ts';
import { type Bound, bind, Reply, withTag } from '../../http/api.ts';
import type { WallsService } from './walls.service.ts';

export const wallRoutes = (service: WallsService): Bound[] => [
  bind(listWalls, ({ actor }) => service.list(actor)),
  bind(createWall, ({ actor, body }) => withTag(service.create(actor, body))),
  bind(getWall, ({ actor, params }) => withTag(service.get(actor, params.id))),
  bind(updateWall, ({ actor, params, body, ifMatch }) => withTag(service.update(actor, params.id, body, ifMatch))),
  bind(deleteWall, ({ actor, params, ifMatch }) => {
    service.delete(actor, params.id, ifMatch);
    return success;
  }),
  bind(replaceWallDevices, ({ actor, params, body, ifMatch }) =>
    withTag(service.replaceDevices(actor, params.id, body.devices, ifMatch)),
  ),
  bind(
    setWallContent,
    ({ actor, params, body, ifMatch }) =>
      new Reply(success, { etag: service.setContent(actor, params.id, body, ifMatch) }),
  ),
  bind(getDeviceWallConfig, ({ actor, params }) => service.deviceConfig(actor, params.id, params.deviceId)),
];
