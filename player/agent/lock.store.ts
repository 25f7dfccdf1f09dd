/**
 * One player per data folder. A file with a process id lies after a power cut (the id may belong to somebody else by then);
 * a lock that SQLite holds is the operating system's and goes with the process, on every platform.
 */
import Database from 'better-sqlite3';

export class FolderInUse extends Error {
  readonly code = 'FOLDER_IN_USE';
}

export class FolderLock {
  readonly #path: string;
  #db: Database.Database | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  start(): void {
    const db = new Database(this.#path, { timeout: 0 });
    try {
      db.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      db.close();
      if ((error as { code?: unknown }).code === 'SQLITE_BUSY') throw new FolderInUse('another player is already running with this data folder');
      throw error;
    }
    this.#db = db;
  }

  stop(): void {
    this.#db?.close();
    this.#db = undefined;
  }
}
