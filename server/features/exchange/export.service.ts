import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { cutWhenStalled } from '../../http/limits/stalled.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import { MANIFEST_NAME } from './exchange-format.ts';
import type { ExportThreads } from './export-thread.ts';

interface Deps extends Pick<Parts, 'db' | 'clock' | 'activity'> {
  readonly threads: Pick<ExportThreads, 'describe'>;
  readonly pathOf: (sha256: string) => string;
  readonly version: string;
}

export class ExportService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Streams the ZIP with little memory, regardless of the size of the media. Resolves when all bytes are sent or the
   * client is gone.
   * @throws ApiError 429, 503, 507
   */
  async send(actor: WorkspaceActor, res: ServerResponse): Promise<void> {
    const { threads, pathOf, clock, db, activity, version } = this.#deps;
    const { workspaceId } = actor;
    const mtime = new Date(clock.now());
    // The thread reads only data that is on disk, so the export waits for pending writes.
    await db.durable();
    const { text, files, contents } = await threads.describe({
      file: db.file,
      workspaceId,
      madeBy: `Vitrine ${version}`,
      madeAt: mtime.toISOString(),
    });
    const { ZipFile } = await import('yazl');
    const zip = new ZipFile();
    zip.addBuffer(Buffer.from(text.buffer), MANIFEST_NAME, { mtime });
    // Media are compressed already, so they are stored uncompressed.
    for (const [sha256, name] of files) zip.addFile(pathOf(sha256), name, { compress: false, mtime });
    zip.end();
    const details = contents === 1 ? '1 content' : `${contents} contents`;
    db.write(() => activity.add({ workspaceId, actor, action: 'workspace.exported', details }));
    await db.durable();
    res.writeHead(200, {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="vitrine-${mtime.toISOString().slice(0, 10)}.zip"`,
      'Cache-Control': 'no-store',
    });
    cutWhenStalled(res);
    // When a file is missing or the client is gone, the connection is cut, because sent bytes cannot be taken back.
    zip.on('error', () => res.destroy());
    await pipeline(zip.outputStream as NodeJS.ReadableStream, res).catch(() => res.destroy());
  }
}
