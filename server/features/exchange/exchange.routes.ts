import type { IncomingMessage } from 'node:http';
import { exportWorkspace, importWorkspace, previewImport } from '../../../shared/contract/exchange.ts';
import { type Bound, bind } from '../../http/api.ts';
import { announcedSize, receiveFile } from '../../http/uploads.ts';
import type { WorkspaceActor } from '../../kernel/actor.ts';
import type { BlobWriter, Incoming } from '../../media/blob-writer.ts';
import type { ExportService } from './export.service.ts';
import type { ImportService } from './import.service.ts';

/** Of a whole workspace: the disk decides, not a number. */
const MAX_BYTES = 1024 ** 4;

/** Where what is sent waits while it is read (server/media). */
export interface Temporary {
  open(expected: number): Promise<BlobWriter>;
  discard(incoming: Incoming): Promise<void>;
}

export const exchangeRoutes = ({ exports, imports, temporary }: { exports: ExportService; imports: ImportService; temporary: Temporary }): Bound[] => {
  /** Hands the file that is sent to one of the ways to read it, and keeps nothing. */
  const received =
    <T>(read: (actor: WorkspaceActor, path: string) => Promise<T>) =>
    async ({ actor, req }: { actor: WorkspaceActor; req: IncomingMessage }): Promise<T> => {
      const { sink } = await receiveFile(req, { field: 'file', limit: MAX_BYTES, open: () => temporary.open(announcedSize(req)) });
      const incoming = await sink.finish();
      try {
        return await read(actor, incoming.path);
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
      received((actor, path) => imports.take(actor, path)),
    ),
    bind(
      previewImport,
      received((actor, path) => imports.preview(actor, path)),
    ),
  ];
};
