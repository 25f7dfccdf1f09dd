import { clearOverlay, deleteOverlay, showOverlay } from '../../../shared/contract/screens/overlays.ts';
import { type Bound, bind } from '../../http/api.ts';
import type { OverlaysService } from './overlays.service.ts';

export const overlayRoutes = (service: OverlaysService): Bound[] => [
  bind(showOverlay, ({ actor, body }) => service.show(actor, body)),
  bind(deleteOverlay, ({ actor, body }) => service.clear(actor, body.device_id, body.pip_id ?? undefined)),
  bind(clearOverlay, ({ actor, body }) => service.clear(actor, body.device_id, body.pip_id ?? undefined)),
];
