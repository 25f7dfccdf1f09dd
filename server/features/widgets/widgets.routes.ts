import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createWidget,
  deleteWidget,
  duplicateWidget,
  getWidget,
  getWidgetData,
  listWidgets,
  previewFrame,
  previewWidget,
  renderWidget,
  updateWidget,
} from '../../../shared/contract/content/widgets.ts';
import { success } from '../../../shared/contract/fields.ts';
import { type Bound, bind, taggedJson, withTag } from '../../http/api.ts';
import { sendPage } from '../../http/send-page.ts';
import { type PageDocument, pageHeaders, renderPreviewFrame } from './pages/document.ts';
import { widgetKinds } from './pages/widget-page.ts';
import type { WidgetRenderer } from './widget-render.ts';
import type { WidgetsService } from './widgets.service.ts';

const send = (req: IncomingMessage, res: ServerResponse, { html, policy }: PageDocument) =>
  sendPage(req, res, html, pageHeaders(policy));

export const widgetRoutes = (service: WidgetsService, renderer: WidgetRenderer): Bound[] => [
  bind(listWidgets, ({ actor, query }) => service.list(actor, query)),
  bind(createWidget, ({ actor, body }) => withTag(service.create(actor, body))),
  bind(duplicateWidget, ({ actor, params, body }) => withTag(service.duplicate(actor, params.id, body))),
  bind(previewWidget, async ({ actor, body, req, res }) =>
    send(req, res, await renderer.preview(actor.workspaceId, body.widget_type, body.config ?? {})),
  ),
  bind(previewFrame, ({ req, res }) =>
    send(req, res, renderPreviewFrame(Object.values(widgetKinds).map((kind) => kind()))),
  ),
  bind(getWidget, ({ actor, params }) => withTag(service.get(actor, params.id))),
  bind(updateWidget, ({ actor, params, body, ifMatch }) => withTag(service.update(actor, params.id, body, ifMatch))),
  bind(deleteWidget, ({ actor, params, ifMatch }) => {
    service.delete(actor, params.id, ifMatch);
    return success;
  }),
  bind(renderWidget, ({ params, req, res }) => send(req, res, renderer.render(params.id))),
  // Players request this endpoint every minute, so the answer has an ETag.
  bind(getWidgetData, ({ actor, params }) => taggedJson(renderer.data(actor.workspaceId, params.id))),
];
