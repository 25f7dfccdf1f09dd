import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Database } from '../../db/database.ts';
import type { ActivityLog } from '../../kernel/activity.ts';
import type { WorkspaceActor } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { ExchangeStore } from './exchange.store.ts';
import { FORMAT, MANIFEST_NAME } from './exchange-format.ts';

export class ExportService {
  readonly #d: { db: Database; store: ExchangeStore; pathOf: (sha256: string) => string; clock: Clock; activity: ActivityLog; version: string };

  constructor(deps: { db: Database; store: ExchangeStore; pathOf: (sha256: string) => string; clock: Clock; activity: ActivityLog; version: string }) {
    this.#d = deps;
  }

  /** Streams the ZIP: no more memory than a block, however large the media are. Resolves when it is sent or the client is gone. */
  async send(actor: WorkspaceActor, res: ServerResponse): Promise<void> {
    const { store, pathOf, clock, db, activity, version } = this.#d;
    const { workspaceId } = actor;
    const { ZipFile } = await import('yazl');
    const zip = new ZipFile();
    const contents = store.contents(workspaceId);
    const files = new Map(contents.flatMap(({ sha256, filename }) => (sha256 ? [[sha256, `files/${sha256}${extensionOf(filename)}`] as const] : [])));
    const manifest = {
      format: FORMAT,
      version: 1,
      exported_at: new Date(clock.now()).toISOString(),
      made_by: `Vitrine ${version}`,
      contents: contents.map(({ sha256, ...row }) => ({ ...row, file: sha256 ? files.get(sha256) : null })),
      widgets: store.widgets(workspaceId),
      kiosk_pages: store.kioskPages(workspaceId),
      layouts: store.layouts(workspaceId),
      playlists: store.playlists(workspaceId),
      groups: store.groups(workspaceId),
      schedules: store.schedules(workspaceId),
    };
    const mtime = new Date(clock.now());
    zip.addBuffer(Buffer.from(JSON.stringify(manifest, null, 1)), MANIFEST_NAME, { mtime });
    // Media are compressed already.
    for (const [sha256, name] of files) zip.addFile(pathOf(sha256), name, { compress: false, mtime });
    zip.end();
    db.write(() => activity.add({ workspaceId, actor, action: 'workspace.exported', details: `${contents.length} contents` }));
    await db.durable();
    res.writeHead(200, {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="vitrine-${mtime.toISOString().slice(0, 10)}.zip"`,
      'Cache-Control': 'no-store',
    });
    // A file that vanished, or a client that went away: what was sent cannot be taken back, so it is broken off.
    zip.on('error', () => res.destroy());
    await pipeline(zip.outputStream as NodeJS.ReadableStream, res).catch(() => res.destroy());
  }
}

const extensionOf = (filename: string): string => /\.[A-Za-z0-9]{1,5}$/.exec(filename)?.[0].toLowerCase() ?? '';
