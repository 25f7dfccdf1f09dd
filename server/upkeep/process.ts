/**
 * Runs long work of upkeep, and whatever touches another disk, in a process for each task. It never holds the server
 * up, can be killed at any time, and gives its memory back. A disk that hangs holds up that process and nothing else.
 */
import { constants } from 'node:os';
import { type Child, startChild } from '../kernel/child.ts';
import { pathOf } from '../kernel/place.ts';
import { cannotStart } from '../kernel/starting.ts';
import type { BackupSummary } from './backup/backup-files.ts';
import type { Progress } from './progress.ts';
import type { Task, TaskMessage, TaskResult, TaskWord } from './tasks.ts';

const ENTRY = pathOf('server/upkeep/upkeep.worker');
/** These are enough for a backup, a check of the media and two short tasks. Each process takes some 60 MB. */
const AT_ONCE = 4;
/** Files on their way are counted on their own: a slow download must not keep a backup waiting. */
const CARRIED_AT_ONCE = 4;
/** A process may take this long to begin; from then on it says itself how long it may be silent. */
const BEGIN_MS = 60_000;
/** A process that waits for a disk cannot be killed. After this time another one may try that disk. */
const ASK_AGAIN_MS = 5 * 60_000;
/** At most this many processes may hang at one disk. */
const MAX_STUCK = 3;

/** Says that the task could not be done, and why. */
export class TaskFailed extends Error {}
/** Says that nothing was begun, so that the task may be asked again soon. */
export class TaskUnavailable extends TaskFailed {}
/** Says that what the task was given cannot be used. */
export class TaskRefused extends TaskFailed {}

export type UpkeepChild = Child<TaskMessage, TaskWord>;
/** Starts a process. It may throw. */
export type LaunchUpkeep = () => UpkeepChild;

/** A file on a disk that may hang. It must be read or closed. */
export interface FileBeingRead {
  readonly size: number;
  /** When it was written, in epoch milliseconds. */
  readonly changedAt: number;
  /** @param part is of the whole by default; its `end` is exclusive */
  pieces(part?: { readonly start: number; readonly end: number }): AsyncGenerator<Uint8Array>;
  close(): void;
}

/** A file that comes in, to a disk that may hang. It must be ended or given up. */
export interface FileComingIn {
  /** @throws TaskFailed */
  write(piece: Uint8Array): Promise<void>;
  /** Returns what it has become. @throws TaskRefused when it is none that can be used; nothing is left then */
  end(): Promise<BackupSummary>;
  /** Leaves nothing behind. Never rejects. */
  giveUp(): Promise<void>;
}

type Watch = (progress: Progress) => void;

export class UpkeepProcess {
  readonly #launch: LaunchUpkeep;
  readonly #running = new Set<Talk>();
  readonly #slots = new Slots(AT_ONCE);
  readonly #carriers = new Slots(CARRIED_AT_ONCE);
  /** Holds tasks under way: whoever asks the same question meanwhile gets the same answer. */
  readonly #asked = new Map<string, Promise<unknown>>();
  /** Holds processes that were killed and have not ended yet. */
  readonly #stuck = new Set<Talk>();

  constructor(deps: { launch?: LaunchUpkeep } = {}) {
    this.#launch = deps.launch ?? inProcess;
  }

  /** Does a task. @param watch hears how far it is @throws TaskFailed */
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

  /** Returns undefined when there is no such file. @throws TaskFailed */
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

  /** Resolves once there is room for the file. @throws TaskFailed */
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
    // One after the other: the end of a stream may be told of while its last piece is still on its way.
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
      giveUp: async () => {
        if (!this.#running.has(talk)) return;
        await give('nothing').catch(() => {});
        this.#end(talk);
      },
    };
  }

  /** Ends all tasks. An unfinished backup is cleared away by the next one. */
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

  /** Begins a task. @throws TaskFailed when its disk is known to hang, or no program can be started */
  async #begin(task: Task, watch: Watch = () => {}): Promise<Talk> {
    const slots = ['read', 'bring-in'].includes(task.do) ? this.#carriers : this.#slots;
    await slots.take();
    try {
      this.#refuseHanging(task);
      const talk = new Talk(this.#start(), task, { watch, release: () => slots.give() });
      this.#running.add(talk);
      talk.onEnd(() => {
        this.#stuck.delete(talk);
        this.#end(talk);
      });
      return talk;
    } catch (error) {
      slots.give();
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

/** Says that a task changes nothing, so that all who ask at the same time may share the answer. */
const isQuestion = (task: Task): boolean =>
  ['list', 'try', 'check-media', 'check-pool', 'check-database', 'sizes'].includes(task.do);

const placeOf = (task: Task): string => ('place' in task ? task.place.folder : task.data);

const hanging = (task: Task): TaskFailed =>
  new TaskUnavailable(
    `The disk of ${placeOf(task)} does not answer: it hangs, or the network to it is gone. Look after it, or choose another folder for backups.`,
  );

/** Lets some pass at a time; the others wait in the order in which they came. */
class Slots {
  readonly #waiting: PromiseWithResolvers<void>[] = [];
  #free: number;

  constructor(size: number) {
    this.#free = size;
  }

  async take(): Promise<void> {
    if (this.#free > 0) return void this.#free--;
    const turn = Promise.withResolvers<void>();
    this.#waiting.push(turn);
    await turn.promise;
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next) next.resolve();
    else this.#free++;
  }

  refuseWaiting(reason: Error): void {
    for (const turn of this.#waiting.splice(0)) turn.reject(reason);
  }
}

/** Returns what a task came to. @throws TaskFailed when it said something else */
const resultOf = <D extends Task['do']>(word: TaskWord, _task: D): TaskResult[D] => {
  if (!('result' in word)) throw new TaskFailed('It was interrupted');
  return word.result as TaskResult[D];
};

/** One process at its task. */
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

  /** @param more.release is called when it no longer counts as running */
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

  /** When it had been silent for too long (monotonic milliseconds), undefined when it was not. */
  get hangsSince(): number | undefined {
    return this.#hangsSince;
  }

  /**
   * Resolves with the next word that is not a sign of life. Silence counts only while this is awaited.
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

// The process ends by itself when the server has gone.
const inProcess: LaunchUpkeep = () =>
  startChild({
    command: process.execPath,
    args: ['--no-warnings', ENTRY],
    priority: constants.priority.PRIORITY_LOW,
    keepsAlive: false,
  });
