import { exportWorkspace, importWorkspace } from '../../../shared/contract/exchange.ts';
import { type Bound, bind } from '../../http/api.ts';
import { announcedSize, receiveFile } from '../../http/uploads.ts';
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

export const exchangeRoutes = (deps: { exports: ExportService; imports: ImportService; temporary: Temporary }): Bound[] => [
  bind(exportWorkspace, async ({ actor, res }) => {
    await deps.exports.send(actor, res);
    return undefined;
  }),
  bind(importWorkspace, async ({ actor, req }) => {
    const { sink } = await receiveFile(req, { field: 'file', limit: MAX_BYTES, open: () => deps.temporary.open(announcedSize(req)) });
    const incoming = await sink.finish();
    try {
      return await deps.imports.take(actor, incoming.path);
    } finally {
      await deps.temporary.discard(incoming);
    }
  }),
];
