import { success } from '../../../shared/contract/fields.ts';
import {
  clearDevicePlaylist,
  commandDevice,
  countDevices,
  deleteDevice,
  exportDevices,
  getDevice,
  getDeviceProgram,
  getDeviceScreenshot,
  getDeviceTelemetry,
  identifyDevice,
  listDevices,
  listTags,
  tagDevices,
  updateDevice,
} from '../../../shared/contract/screens/devices.ts';
import { listPending, pairDevice } from '../../../shared/contract/screens/pairing.ts';
import { type Bound, bind, Reply, withTag } from '../../http/api.ts';
import { sendExport } from '../reports/proof/send-export.ts';
import type { DeviceTags } from './device-tags.ts';
import type { DevicesService } from './devices.service.ts';
import type { PairingService, WaitingPlayer } from './pairing.service.ts';
import { sendPicture } from './send-picture.ts';

export const deviceRoutes = <W extends WaitingPlayer>(
  service: DevicesService,
  tags: DeviceTags,
  pairing: PairingService<W>,
): Bound[] => [
  bind(listDevices, ({ actor, query }) => service.list(actor, query)),
  bind(countDevices, ({ actor }) => service.counts(actor)),
  bind(listTags, ({ actor, query }) => {
    const { records, total } = tags.list(actor.workspaceId, query);
    return new Reply(records, { total });
  }),
  bind(tagDevices, async ({ actor, body }) => ({ ...success, devices_updated: await tags.change(actor, body) })),
  bind(
    exportDevices,
    ({ actor, query, req, res }) => sendExport(req, res, service.export(actor, query)) as Promise<undefined>,
  ),
  bind(getDevice, ({ actor, params }) => withTag(service.get(actor, params.id))),
  bind(updateDevice, ({ actor, params, body, ifMatch }) => withTag(service.update(actor, params.id, body, ifMatch))),
  bind(deleteDevice, ({ actor, params, ifMatch }) => {
    service.delete(actor, params.id, ifMatch);
    return success;
  }),
  bind(clearDevicePlaylist, ({ actor, params, ifMatch }) => {
    const { revision } = service.clearPlaylist(actor, params.id, ifMatch);
    return new Reply(success, { etag: revision });
  }),
  bind(getDeviceTelemetry, ({ actor, params, query }) => service.telemetry(actor, params.id, query.hours)),
  bind(getDeviceProgram, ({ actor, params }) => service.program(actor, params.id)),
  bind(getDeviceScreenshot, async ({ actor, params, query, req, res }) =>
    sendPicture(req, res, await service.screenshot(actor, params.id, query)),
  ),
  bind(commandDevice, async ({ actor, params, body }) => ({
    ...success,
    ...(await service.command(actor, params.id, body)),
  })),
  bind(identifyDevice, ({ actor, params, body }) => ({ ...success, ...service.identify(actor, params.id, body) })),
  bind(pairDevice, async ({ actor, body }) => withTag(await pairing.pair(actor, body))),
  bind(listPending, () => pairing.pending()),
];
