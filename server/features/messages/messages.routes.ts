import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  getMessage,
  listMessageScreens,
  listMessages,
  messageFrame,
  previewMessage,
  repeatMessage,
  sendMessage,
  showMessage,
  withdrawMessage,
} from '../../../shared/contract/screens/messages.ts';
import { type Bound, bind, Reply } from '../../http/api.ts';
import { sendPage } from '../../http/send-page.ts';
import { type PageDocument, pageHeaders, renderPreviewFrame } from '../widgets/pages/document.ts';
import { messageKind } from './message-page.ts';
import type { MessagesService } from './messages.service.ts';

const send = (req: IncomingMessage, res: ServerResponse, { html, policy }: PageDocument) =>
  sendPage(req, res, html, pageHeaders(policy));

const page = <T>({ records, total }: { records: T[]; total: number }) => new Reply(records, { total });

export const messageRoutes = (service: MessagesService): Bound[] => [
  bind(listMessages, ({ actor, query }) => page(service.list(actor, query))),
  bind(sendMessage, ({ actor, body }) => service.send(actor, body)),
  bind(previewMessage, ({ body, req, res }) => send(req, res, service.preview(body))),
  bind(messageFrame, ({ req, res }) => send(req, res, renderPreviewFrame([messageKind()]))),
  bind(getMessage, ({ actor, params }) => service.get(actor, params.id)),
  bind(listMessageScreens, ({ actor, params, query }) => page(service.screens(actor, params.id, query))),
  bind(repeatMessage, ({ actor, params }) => service.again(actor, params.id)),
  bind(withdrawMessage, ({ actor, params }) => service.withdraw(actor, params.id)),
  bind(showMessage, ({ params, req, res }) => send(req, res, service.shown(params.id))),
];
