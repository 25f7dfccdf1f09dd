import { changeDevices, commandDevices, identifyDevices } from '../../../shared/contract/screens/device-bulk.ts';
import { type Bound, bind } from '../../http/api.ts';
import { countResults } from '../results.ts';
import type { DeviceBulk } from './device-bulk.ts';

export const deviceBulkRoutes = (bulk: DeviceBulk): Bound[] => [
  bind(changeDevices, ({ actor, body }) => bulk.change(actor, body)),
  bind(commandDevices, async ({ actor, body }) => countResults(await bulk.command(actor, body))),
  bind(identifyDevices, async ({ actor, body }) =>
    countResults(await bulk.identify(actor, body), ({ status }) => status === 'sent'),
  ),
];
