/**
 * Writes manifests of exports in its own thread, because a large workspace takes a second, and requests must not wait
 * for it.
 */
import { openReadOnly } from '../../db/read-only.ts';
import { answerTasks } from '../../kernel/threads/thread-tasks.ts';
import { FORMAT } from './exchange-format.ts';
import { ExportStore } from './export.store.ts';
import type { Description, DescriptionTask } from './export-thread.ts';

const extensionOf = (filename: string): string => /\.[A-Za-z0-9]{1,5}$/.exec(filename)?.[0].toLowerCase() ?? '';

const describe = ({ file, workspaceId, madeBy, madeAt }: DescriptionTask): Description => {
  const raw = openReadOnly(file);
  const store = new ExportStore(raw);
  const { files, manifest } = store.at(() => {
    const contents = store.contents(workspaceId);
    const files = new Map(
      contents.flatMap(({ sha256, filename }) =>
        sha256 ? [[sha256, `files/${sha256}${extensionOf(filename)}`] as const] : [],
      ),
    );
    const manifest = {
      format: FORMAT,
      version: 1,
      exported_at: madeAt,
      made_by: madeBy,
      contents: contents.map(({ sha256, ...row }) => ({ ...row, file: sha256 ? files.get(sha256) : null })),
      widgets: store.widgets(workspaceId),
      kiosk_pages: store.kioskPages(workspaceId),
      layouts: store.layouts(workspaceId),
      playlists: store.playlists(workspaceId),
      groups: store.groups(workspaceId),
      schedules: store.schedules(workspaceId),
    };
    return { files, manifest };
  });
  raw.close();
  const text = new TextEncoder().encode(JSON.stringify(manifest, null, 1));
  return { text, files: [...files], contents: manifest.contents.length };
};

answerTasks(describe, ({ text }) => [text.buffer]);
