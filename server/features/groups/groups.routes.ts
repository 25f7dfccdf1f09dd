import { success } from '../../../shared/contract/fields.ts';
import {
  addGroupDevice,
  assignGroupContent,
  assignGroupPlaylist,
  commandGroup,
  countGroups,
  createGroup,
  deleteGroup,
  duplicateGroup,
  identifyGroup,
  listGroupDevices,
  listGroups,
  removeGroupDevice,
  updateGroup,
} from '../../../shared/contract/screens/groups.ts';
import { type Bound, bind } from '../../http/api.ts';
import { countResults } from '../results.ts';
import type { GroupsService } from './groups.service.ts';

export const groupRoutes = (service: GroupsService): Bound[] => [
  bind(listGroups, ({ actor }) => service.list(actor)),
  bind(countGroups, ({ actor }) => service.counts(actor)),
  bind(createGroup, ({ actor, body }) => service.create(actor, body)),
  bind(duplicateGroup, ({ actor, params, body }) => service.duplicate(actor, params.id, body)),
  bind(updateGroup, ({ actor, params, body }) => service.update(actor, params.id, body)),
  bind(deleteGroup, ({ actor, params }) => ({ ...success, ...service.delete(actor, params.id) })),
  bind(listGroupDevices, ({ actor, params }) => service.devices(actor, params.id)),
  bind(addGroupDevice, ({ actor, params, body }) => ({
    ...success,
    ...service.addDevice(actor, params.id, body.device_id),
  })),
  bind(removeGroupDevice, ({ actor, params }) => {
    service.removeDevice(actor, params.id, params.deviceId);
    return success;
  }),
  bind(assignGroupContent, async ({ actor, params, body }) => ({
    ...success,
    devices_updated: await service.assignContent(actor, params.id, body),
  })),
  bind(assignGroupPlaylist, ({ actor, params, body }) => ({
    ...success,
    devices_updated: service.assignPlaylist(actor, params.id, body.playlist_id),
  })),
  bind(commandGroup, async ({ actor, params, body }) => countResults(await service.command(actor, params.id, body))),
  bind(identifyGroup, ({ actor, params, body }) =>
    countResults(service.identify(actor, params.id, body), ({ status }) => status === 'sent'),
  ),
];
