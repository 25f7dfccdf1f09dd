import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createKioskPage,
  deleteKioskPage,
  duplicateKioskPage,
  getKioskPage,
  kioskPreviewFrame,
  listKioskPages,
  previewKioskPage,
  renderKioskPage,
  updateKioskPage,
} from '../../../shared/contract/content/kiosk.ts';
import { success } from '../../../shared/contract/fields.ts';
import { type Bound, bind, withTag } from '../../http/api.ts';
import { sendPage } from '../../http/send-page.ts';
import { type PageDocument, pageHeaders, renderPreviewFrame } from '../widgets/pages/document.ts';
import type { KioskService } from './kiosk.service.ts';
import { kioskKind } from './kiosk-page.ts';

const send = (req: IncomingMessage, res: ServerResponse, { html, policy }: PageDocument) =>
  sendPage(req, res, html, pageHeaders(policy));

export const kioskRoutes = (service: KioskService): Bound[] => [
  bind(listKioskPages, ({ actor }) => service.list(actor)),
  bind(createKioskPage, ({ actor, body }) => withTag(service.create(actor, body))),
  bind(duplicateKioskPage, ({ actor, params, body }) => withTag(service.duplicate(actor, params.id, body))),
  bind(previewKioskPage, ({ actor, body, req, res }) => send(req, res, service.preview(actor, body.config ?? {}))),
  bind(kioskPreviewFrame, ({ req, res }) => send(req, res, renderPreviewFrame([kioskKind()]))),
  bind(getKioskPage, ({ actor, params }) => withTag(service.get(actor, params.id))),
  bind(updateKioskPage, ({ actor, params, body, ifMatch }) => withTag(service.update(actor, params.id, body, ifMatch))),
  bind(deleteKioskPage, ({ actor, params, ifMatch }) => {
    service.delete(actor, params.id, ifMatch);
    return success;
  }),
  bind(renderKioskPage, ({ params, req, res }) => send(req, res, service.render(params.id))),
];
