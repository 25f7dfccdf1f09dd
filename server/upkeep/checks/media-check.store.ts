import { connect } from '../../db/connect.ts';
import { contentNames } from '../../db/content-files.ts';

interface NamedBlob {
  readonly sha256: string;
  readonly size: number;
  readonly names: readonly string[];
}

/**
 * Reads the list of files that contents refer to, through a separate connection.
 * @param file database, which may be open elsewhere
 */
export const readBlobs = (file: string): NamedBlob[] => {
  const db = connect(file, { fileMustExist: true });
  try {
    db.pragma('query_only = ON');
    db.pragma('busy_timeout = 10000');
    const rows = db
      .prepare(
        `SELECT b.sha256, b.size, json_group_array(c.filename) AS names FROM blobs b
         JOIN content c ON ${contentNames('c', 'b.sha256')} GROUP BY b.sha256`,
      )
      .all() as { sha256: string; size: number; names: string }[];
    return rows.map(({ sha256, size, names }) => ({ sha256, size, names: JSON.parse(names) as string[] }));
  } finally {
    db.close();
  }
};
