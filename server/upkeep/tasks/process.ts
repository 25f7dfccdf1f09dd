/**
 * Runs long tasks of upkeep, and all access to other disks, in one child process per task. A task never blocks the
 * server, can be killed at any time, and its memory is freed at the end. A hanging disk blocks only the process of this
 * task.
 */
import { constants } from 'node:os';
import { pathOf } from '../../kernel/place.ts';
import { type Child, startChild } from '../../kernel/threads/child.ts';
import { cannotStart } from '../../kernel/threads/starting.ts';
import type { BackupSummary } from '../backup/backup-files.ts';
import type { Progress } from './progress.ts';
import type { Task, TaskMessage, TaskResult, TaskWord } from './tasks.ts';

const ENTRY = pathOf('server/upkeep/upkeep.worker');
/**
 * Maximum number of processes at the same time: enough for a backup, a check of the media and two short tasks. Each
 * takes about 60 MB.
 */
const AT_ONCE = 4;
/** Maximum number of file transfers, counted separately: a slow download must not delay a backup. */
const CARRIED_AT_ONCE = 4;
/**
 * Time limit in milliseconds for a process to start. After the start, the process announces how long it may be silent.
 */
const BEGIN_MS = 60_000;
/**
 * Time in milliseconds after which another process may try a hanging disk. The first process cannot be killed while it
 * waits for the disk.
 */
const ASK_AGAIN_MS = 5 * 60_000;
/** Maximum number of processes that may hang on one disk. */
const MAX_STUCK = 3;

/** Error: the task failed. The message says why. */
export class TaskFailed extends Error {}
/** Error: the task was not started, so it can be retried soon. */
export class TaskUnavailable extends TaskFailed {}
/** Error: the input of the task, for example an uploaded file, is unusable. */
export class TaskRefused extends TaskFailed {}

export type UpkeepChild = Child<TaskMessage, TaskWord>;
/** Starts a process. May throw. */
export type LaunchUpkeep = () => UpkeepChild;

/** A file on a disk that may hang. The caller must read it to the end or close it. */
export interface FileBeingRead {
  readonly size: number;
  /** Modification time, in epoch milliseconds. */
  readonly changedAt: number;
  /** @param part part to read, by default the whole file; `end` is exclusive */
  pieces(part?: { readonly start: number; readonly end: number }): AsyncGenerator<Uint8Array>;
  close(): void;
}

/** An uploaded file that is being written to a disk that may hang. The caller must end or abort the upload. */
export interface FileComingIn {
  /** @throws TaskFailed */
  write(piece: Uint8Array): Promise<void>;
  /** Returns the summary of the new backup. @throws TaskRefused when the file is unusable; no file is left then */
  end(): Promise<BackupSummary>;
  /** Removes everything that was written. Never rejects. */
  discard(): Promise<void>;
}

type Watch = (progress: Progress) => void;

export class UpkeepProcess {
  readonly #launch: LaunchUpkeep;
  readonly #running = new Set<Talk>();
  readonly #slots = new Slots(AT_ONCE);
  readonly #carriers = new Slots(CARRIED_AT_ONCE);
  /** Running requests. A second equal request gets the same answer. */
  readonly #asked = new Map<string, Promise<unknown>>();
  /** Processes that were killed but have not ended yet, because their disk hangs. */
  readonly #stuck = new Set<Talk>();

  constructor(deps: { launch?: LaunchUpkeep } = {}) {
    this.#launch = deps.launch ?? inProcess;
  }

  /** Runs a task. @param watch receives the progress @throws TaskFailed */
  run<T extends Exclude<Task, { do: 'read' | 'bring-in' }>>(task: T, watch?: Watch): Promise<TaskResult[T['do']]> {
    const question = JSON.stringify(task);
    const asked = this.#asked.get(question) as Promise<TaskResult[T['do']]> | undefined;
    if (asked && isQuestion(task)) return asked;
    const answer = this.#do(task, watch).finally(() => {
      if (this.#asked.get(question) === answer) this.#asked.delete(question);
    });
    this.#asked.set(question, answer);
    return answer;
  }

  /** Opens a file for reading. Returns undefined when the file does not exist. @throws TaskFailed */
  async read(task: Extract<Task, { do: 'read' }>): Promise<FileBeingRead | undefined> {
    const talk = await this.#begin(task);
    const close = () => this.#end(talk);
    try {
      const found = resultOf(await talk.next(), 'read');
      if (found === undefined) {
        close();
        return undefined;
      }
      const whole = { start: 0, end: found.size };
      return { ...found, close, pieces: (part = whole) => piecesOf(talk, part, close) };
    } catch (error) {
      close();
      throw error;
    }
  }

  /** Opens a file for an upload. Resolves when the process has confirmed that there is space. @throws TaskFailed */
  async bringIn(task: Extract<Task, { do: 'bring-in' }>, watch: Watch): Promise<FileComingIn> {
    const talk = await this.#begin(task, watch);
    const answer = async () => {
      try {
        return resultOf(await talk.next(), 'bring-in');
      } catch (error) {
        this.#end(talk);
        throw error;
      }
    };
    // Sends messages one after the other, because the end of the stream may be reported while its last piece is still
    // in progress.
    let last = answer();
    const give = (given: Uint8Array | 'end' | 'nothing') => {
      last = last.then(() => {
        talk.post({ give: given });
        return answer();
      });
      return last;
    };
    await last;
    return {
      write: async (piece) => void (await give(piece)),
      end: async () => {
        const brought = await give('end');
        this.#end(talk);
        if (!brought) throw new TaskFailed('It was interrupted');
        return brought;
      },
      discard: async () => {
        if (!this.#running.has(talk)) return;
        await give('nothing').catch(() => {});
        this.#end(talk);
      },
    };
  }

  /** Ends all tasks. Leftovers of an unfinished backup are removed by the next backup. */
  stop(): void {
    for (const slots of [this.#slots, this.#carriers]) slots.refuseWaiting(new TaskFailed('The server is stopping'));
    for (const talk of this.#running) talk.kill();
  }

  async #do<T extends Task>(task: T, watch?: Watch): Promise<TaskResult[T['do']]> {
    const talk = await this.#begin(task, watch);
    try {
      return resultOf(await talk.next(), task.do as T['do']);
    } finally {
      this.#end(talk);
    }
  }

  /** Starts a task. @throws TaskFailed when its disk is known to hang, or no process can be started */
  async #begin(task: Task, watch: Watch = () => {}): Promise<Talk> {
    const slots = ['read', 'bring-in'].includes(task.do) ? this.#carriers : this.#slots;
    await slots.acquire();
    try {
      this.#refuseHanging(task);
      const talk = new Talk(this.#start(), task, { watch, release: () => slots.release() });
      this.#running.add(talk);
      talk.onEnd(() => {
        this.#stuck.delete(talk);
        this.#end(talk);
      });
      return talk;
    } catch (error) {
      slots.release();
      throw error;
    }
  }

  #start(): UpkeepChild {
    try {
      return this.#launch();
    } catch (error) {
      throw new TaskUnavailable(cannotStart(error));
    }
  }

  #end(talk: Talk): void {
    if (!this.#running.delete(talk)) return;
    if (talk.hangsSince !== undefined && !talk.hasEnded) this.#stuck.add(talk);
    if (!talk.hasEnded) talk.kill();
    talk.release();
  }

  #refuseHanging(task: Task): void {
    const stuck = [...this.#stuck].filter((talk) => placeOf(talk.task) === placeOf(task));
    const newest = Math.max(...stuck.map(({ hangsSince }) => hangsSince!));
    if (stuck.length >= MAX_STUCK || performance.now() - newest < ASK_AGAIN_MS) throw hanging(task);
  }
}

/** Returns whether a task changes nothing, so that concurrent callers can share its result. */
const isQuestion = (task: Task): boolean =>
  ['list', 'try', 'check-media', 'check-pool', 'check-database', 'sizes'].includes(task.do);

const placeOf = (task: Task): string => ('place' in task ? task.place.folder : task.data);

const hanging = (task: Task): TaskFailed =>
  new TaskUnavailable(
    `The disk of ${placeOf(task)} does not answer: it hangs, or the network to it is gone. Look after it, or choose another folder for backups.`,
  );

/** Limits the number of tasks that run at a time. Other tasks wait in order. */
class Slots {
  readonly #waiting: PromiseWithResolvers<void>[] = [];
  #free: number;

  constructor(size: number) {
    this.#free = size;
  }

  async acquire(): Promise<void> {
    if (this.#free > 0) return void this.#free--;
    const turn = Promise.withResolvers<void>();
    this.#waiting.push(turn);
    await turn.promise;
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next) next.resolve();
    else this.#free++;
  }

  refuseWaiting(reason: Error): void {
    for (const turn of this.#waiting.splice(0)) turn.reject(reason);
  }
}

/** Returns the result of a task. @throws TaskFailed for any other message */
const resultOf = <D extends Task['do']>(word: TaskWord, _task: D): TaskResult[D] => {
  if (!('result' in word)) throw new TaskFailed('It was interrupted');
  return word.result as TaskResult[D];
};

/** Exchange of messages with a process about its task. */
class Talk {
  readonly task: Task;
  readonly release: () => void;
  readonly #watch: Watch;
  readonly #child: UpkeepChild;
  readonly #words: TaskWord[] = [];
  #wanted: PromiseWithResolvers<TaskWord> | undefined;
  #over: TaskFailed | undefined;
  #silence: NodeJS.Timeout | undefined;
  #patience = BEGIN_MS;
  #ended = false;
  #hangsSince: number | undefined;

  /** @param more.release called when the process no longer counts as running */
  constructor(child: UpkeepChild, task: Task, more: { readonly watch: Watch; readonly release: () => void }) {
    this.#child = child;
    this.task = task;
    this.release = more.release;
    this.#watch = more.watch;
    child.onMessage((word) => this.#hear(word));
    child.onEnd((failed) => {
      this.#ended = true;
      this.#finish(failed ? new TaskUnavailable(cannotStart(failed)) : new TaskFailed('It was interrupted'));
    });
    child.post(task);
  }

  onEnd(listener: () => void): void {
    this.#child.onEnd(listener);
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  /**
   * Time since which the process has been silent for too long (monotonic milliseconds); undefined when it has not been.
   */
  get hangsSince(): number | undefined {
    return this.#hangsSince;
  }

  /**
   * Resolves with the next message that is not a sign of life. Silence of the process counts only while this promise is
   * awaited.
   * @throws TaskFailed
   */
  next(): Promise<TaskWord> {
    const wanted = Promise.withResolvers<TaskWord>();
    this.#wanted = wanted;
    this.#listen();
    this.#give();
    return wanted.promise;
  }

  post(message: TaskMessage): void {
    this.#child.post(message);
  }

  kill(): void {
    this.#child.kill();
  }

  #hear(word: TaskWord): void {
    if ('aliveFor' in word) {
      this.#patience = word.aliveFor;
      if (this.#wanted) this.#listen();
      return;
    }
    if ('progress' in word) return this.#watch(word.progress);
    if ('error' in word) return this.#finish(new (word.refused ? TaskRefused : TaskFailed)(word.error));
    this.#words.push(word);
    this.#give();
  }

  #listen(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      this.#hangsSince = performance.now();
      this.kill();
      this.#finish(hanging(this.task));
    }, this.#patience).unref();
  }

  #give(): void {
    const word = this.#words[0];
    if (!this.#wanted || (!word && !this.#over)) return;
    clearTimeout(this.#silence);
    if (word) this.#wanted.resolve(this.#words.shift()!);
    else this.#wanted.reject(this.#over);
    this.#wanted = undefined;
  }

  #finish(reason: TaskFailed): void {
    this.#over ??= reason;
    this.#give();
  }
}

async function* piecesOf(
  talk: Talk,
  { start, end }: { readonly start: number; readonly end: number },
  close: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    for (let at = start; at < end; ) {
      talk.post({ from: at });
      const word = await talk.next();
      if (!('piece' in word) || word.piece === null) return;
      const piece = word.piece.subarray(0, end - at);
      at += piece.length;
      yield piece;
    }
  } finally {
    close();
  }
}

// Starts the upkeep process, which ends by itself when the server has ended.
const inProcess: LaunchUpkeep = () =>
  startChild({
    command: process.execPath,
    args: ['--no-warnings', ENTRY],
    priority: constants.priority.PRIORITY_LOW,
    keepsAlive: false,
  });
