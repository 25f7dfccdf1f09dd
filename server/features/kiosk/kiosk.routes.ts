import { success } from '../../../shared/contract/fields.ts';
import { createKioskPage, deleteKioskPage, getKioskPage, listKioskPages, renderKioskPage, updateKioskPage } from '../../../shared/contract/kiosk.ts';
import { type Bound, bind, withTag } from '../../http/api.ts';
import { sendPage } from '../../http/send-page.ts';
import { pageHeaders } from '../widgets/pages/document.ts';
import type { KioskService } from './kiosk.service.ts';

export const kioskRoutes = (service: KioskService): Bound[] => [
  bind(listKioskPages, ({ actor }) => service.list(actor)),
  bind(createKioskPage, ({ actor, body }) => withTag(service.create(actor, body))),
  bind(getKioskPage, ({ actor, params }) => withTag(service.get(actor, params.id))),
  bind(updateKioskPage, ({ actor, params, body, ifMatch }) => withTag(service.update(actor, params.id, body, ifMatch))),
  bind(deleteKioskPage, ({ actor, params, ifMatch }) => {
    service.delete(actor, params.id, ifMatch);
    return success;
  }),
  bind(renderKioskPage, ({ params, req, res }) => {
    const { html, policy } = service.render(params.id);
    return sendPage(req, res, html, pageHeaders(policy));
  }),
];
