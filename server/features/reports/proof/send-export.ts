import type { IncomingMessage, ServerResponse } from 'node:http';
import { cutWhenStalled } from '../../../http/limits/stalled.ts';
import type { PlaysExport } from '../reports.service.ts';

/**
 * Sends an export at the speed of the client. The export of a client that stops reading is ended. A failure before the
 * first line is answered with an ordinary error.
 */
export const sendExport = async (
  req: IncomingMessage,
  res: ServerResponse,
  { filename, type, head, chunks }: PlaysExport,
  stalledMs?: number,
): Promise<void> => {
  const first = await chunks.next();
  cutWhenStalled(res, stalledMs);
  res.writeHead(200, {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${filename}"`,
    'Cache-Control': 'no-store',
  });
  try {
    if (req.method !== 'HEAD') {
      if (head) res.write(head);
      for (let chunk = first; !chunk.done && !res.destroyed; chunk = await chunks.next())
        await written(res, chunk.value);
    }
    res.end();
  } catch (error) {
    // Cuts the connection, because the client is gone or the rest of the plays cannot be read. A client thus notices
    // that the file is incomplete.
    res.destroy();
    if (!(error instanceof Gone)) throw error;
  } finally {
    await chunks.return(undefined);
  }
};

class Gone extends Error {}

/** Resolves when the operating system has taken the bytes, so that their memory block may be reused. */
const written = (res: ServerResponse, bytes: Buffer): Promise<void> => {
  if (bytes.length === 0) return Promise.resolve();
  return new Promise((done, fail) => {
    const onClose = () => fail(new Gone());
    res.once('close', onClose);
    res.write(bytes, (error) => {
      res.off('close', onClose);
      if (error) fail(new Gone());
      else done();
    });
  });
};
