import type { UploadSink } from '../../http/limits/uploads.ts';
import type { FileComingIn } from '../tasks/process.ts';
import { throwAnswer } from '../tasks/task-answers.ts';
import type { BackupSummary } from './backup-files.ts';

/** Receives an uploaded backup. */
export class IncomingBackup implements UploadSink {
  readonly #file: FileComingIn;
  readonly #over: () => void;

  /** @param over called when the upload has ended, successfully or not */
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
    await this.#file.discard();
    this.#over();
  }
}
