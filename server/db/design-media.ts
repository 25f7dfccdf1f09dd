/** SQL for the contents that designs show (table `design_media`). */
import type { Database } from './database.ts';

export interface ShowingDesign {
  readonly id: string;
  readonly name: string;
}

/** Stores the contents that the design in a file shows. Called within the write transaction that stores the file. */
export const putDesignMedia = ({ raw }: Database, sha256: string, contentIds: readonly string[]): void => {
  const put = raw.prepare('INSERT OR IGNORE INTO design_media (sha256, content_id) VALUES (?, ?)');
  for (const id of contentIds) put.run(sha256, id);
};

/** CROSS JOIN keeps this order of the tables, so that only designs with the content are read. */
export const DESIGNS_SHOWING = `SELECT d.id, d.filename AS name FROM design_media m CROSS JOIN content d ON d.sha256 = m.sha256
  WHERE m.content_id = ? AND d.workspace_id = ? ORDER BY vitrine_order(d.filename), d.id`;

/**
 * Returns the designs of a workspace that show a content, sorted by name. The content may be deleted. A design of
 * another workspace that names the content shows a placeholder, so that design is not returned.
 */
export const designsShowing = ({ raw }: Database, workspaceId: string, contentId: string): ShowingDesign[] =>
  raw.prepare(DESIGNS_SHOWING).all(contentId, workspaceId) as ShowingDesign[];

/** Returns the ids of the contents that the design in a file shows, also of deleted contents. Empty for other files. */
export const mediaOfFile = ({ raw }: Database, sha256: string): string[] =>
  raw
    .prepare('SELECT content_id FROM design_media WHERE sha256 = ? ORDER BY content_id')
    .pluck()
    .all(sha256) as string[];
