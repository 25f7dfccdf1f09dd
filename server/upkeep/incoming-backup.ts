import type { UploadSink } from '../http/uploads.ts';
import type { BackupSummary } from './backup/backup-files.ts';
import type { FileComingIn } from './process.ts';
import { throwAnswer } from './task-answers.ts';

/** A backup that comes in from elsewhere, as an upload. */
export class IncomingBackup implements UploadSink {
  readonly #file: FileComingIn;
  readonly #over: () => void;

  /** @param over is called when it has come in or will not */
  constructor(file: FileComingIn, over: () => void) {
    this.#file = file;
    this.#over = over;
  }

  write(chunk: Buffer): Promise<void> {
    return this.#file.write(chunk).catch(throwAnswer);
  }

  end(): Promise<BackupSummary> {
    return this.#file.end().finally(this.#over);
  }

  async abort(): Promise<void> {
    await this.#file.giveUp();
    this.#over();
  }
}
