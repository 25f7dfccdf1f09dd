import type { IncomingMessage, ServerResponse } from 'node:http';
import { exportWorkspace, importWorkspace, previewImport } from '../../../shared/contract/content/exchange.ts';
import { type Bound, bind } from '../../http/api.ts';
import { announcedSize, receiveFile } from '../../http/limits/uploads.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import type { MediaStore } from '../../media/media-store.ts';
import type { ExportService } from './export.service.ts';
import { clientGone, type ImportService, type Sent } from './import.service.ts';

/** Maximum size of an uploaded export, high enough for a whole workspace. The free disk space is the actual limit. */
const MAX_BYTES = 1024 ** 4;

export const exchangeRoutes = ({
  exports,
  imports,
  temporary,
}: {
  exports: ExportService;
  imports: ImportService;
  /** Stores the uploaded file while it is read. */
  temporary: Pick<MediaStore, 'open' | 'discard'>;
}): Bound[] => {
  /**
   * Passes the uploaded file to a function that reads the file, and deletes the file afterwards. `allowed` throws
   * before any of the file is read.
   */
  const received =
    <T>(
      read: (actor: WorkspaceActor, sent: Sent, gone: AbortSignal) => Promise<T>,
      allowed: (actor: WorkspaceActor) => void = () => {},
    ) =>
    async ({ actor, req, res }: { actor: WorkspaceActor; req: IncomingMessage; res: ServerResponse }): Promise<T> => {
      const gone = new AbortController();
      res.once('close', () => gone.abort(clientGone()));
      const open = async () => {
        allowed(actor);
        return temporary.open(announcedSize(req));
      };
      const { sink } = await receiveFile(req, { field: 'file', limit: MAX_BYTES, open });
      const incoming = await sink.finish();
      try {
        return await read(actor, incoming, gone.signal);
      } finally {
        await temporary.discard(incoming);
      }
    };
  return [
    bind(exportWorkspace, async ({ actor, res }) => {
      await exports.send(actor, res);
      return undefined;
    }),
    bind(
      importWorkspace,
      received(
        (actor, sent, gone) => imports.startImport(actor, sent, gone),
        (actor) => imports.requireFree(actor),
      ),
    ),
    bind(
      previewImport,
      received((actor, sent, gone) => imports.preview(actor, sent, gone)),
    ),
  ];
};
