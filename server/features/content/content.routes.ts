import type { IncomingMessage } from 'node:http';
import {
  createRemote,
  createVideo,
  deleteContent,
  getContent,
  getContentFile,
  getContentThumbnail,
  getContentUsage,
  linkContent,
  listContent,
  listContentFolders,
  replaceContent,
  updateContent,
  uploadContent,
} from '../../../shared/contract/content/content.ts';
import { type Bound, bind, withTag } from '../../http/api.ts';
import { announcedSize, receiveFile } from '../../http/limits/uploads.ts';
import type { ResponseCache } from '../../http/response-cache.ts';
import { sendBlob } from '../../http/send-file.ts';
import type { Tickets } from '../../http/tickets.ts';
import { Turns } from '../../kernel/threads/slices.ts';
import type { ContentService } from './content.service.ts';

/** @param maxUploadBytes size limit per file; larger files get 413 */
export const contentRoutes = (
  service: ContentService,
  { cache, tickets, maxUploadBytes }: { cache: ResponseCache; tickets: Tickets; maxUploadBytes: number },
): Bound[] => {
  /**
   * Receives an uploaded file. `allowed` throws before the file is read; `stillMay` throws after the upload if the
   * member has lost the right meanwhile.
   */
  const receive = async (req: IncomingMessage, allowed: () => void, stillMay: () => void) => {
    const open = async () => {
      allowed();
      return service.openUpload(announcedSize(req));
    };
    const { name, sink } = await receiveFile(req, { field: 'file', limit: maxUploadBytes, open });
    try {
      stillMay();
    } catch (error) {
      await sink.abort();
      throw error;
    }
    return { name, writer: sink };
  };
  const searches = new Turns();
  return [
    bind(listContent, async ({ actor, query, req }) => {
      // A search is costly, because it scans all names.
      if (query.q) await searches.next();
      // Validity depends on the time, which invalidates no cache, so the minute is part of the key.
      const asked = query.validity ? `${req.url} ${service.minute()}` : (req.url ?? '');
      return cache.get(
        actor.workspaceId,
        asked,
        query.owner ? ['content', 'folders', 'chain'] : ['content', 'folders'],
        () => {
          const { records, total } = service.list(actor, query);
          return { body: records, total };
        },
      );
    }),
    bind(listContentFolders, ({ actor }) => service.labels(actor)),
    bind(uploadContent, async ({ actor, query, req, stillMay }) => {
      const file = await receive(req, () => service.requirePlace(actor, query), stillMay);
      return withTag(await service.upload(actor, file, query));
    }),
    bind(createRemote, async ({ actor, body }) => withTag(await service.createRemote(actor, body))),
    bind(createVideo, ({ actor, body }) => withTag(service.createVideo(actor, body))),
    bind(getContent, ({ actor, params }) => withTag(service.get(actor, params.id))),
    bind(updateContent, async ({ actor, params, body, ifMatch }) =>
      withTag(await service.update(actor, params.id, body, ifMatch)),
    ),
    bind(replaceContent, async ({ actor, params, req, ifMatch, stillMay }) => {
      const file = await receive(req, () => service.requireEditable(actor, params.id, ifMatch), stillMay);
      return withTag(await service.replace(actor, params.id, file, ifMatch));
    }),
    bind(deleteContent, ({ actor, params, ifMatch }) => ({
      success: true as const,
      affectedDevices: service.delete(actor, params.id, ifMatch),
    })),
    bind(
      getContentFile,
      ({ actor, params, req, res }) =>
        sendBlob(req, res, service.file(actor.workspaceId, params.id)) as Promise<undefined>,
    ),
    bind(linkContent, ({ actor, params }) => {
      service.file(actor.workspaceId, params.id);
      return tickets.issue(`/api/content/${encodeURIComponent(params.id)}/file`, actor.workspaceId);
    }),
    bind(getContentUsage, ({ actor, params }) => service.usage(actor, params.id)),
    bind(
      getContentThumbnail,
      ({ actor, params, req, res }) => sendBlob(req, res, service.thumbnail(actor, params.id)) as Promise<undefined>,
    ),
  ];
};
