/**
 * The programs of a workspace, each compiled once for all devices with the same assignment, and indexed by the records
 * that the program depends on.
 */
import type { Placement } from '../../shared/program/program.ts';
import type { Assignment } from './assignment.ts';
import type { Compiled } from './compile.ts';

/** Program and placement of a device. Devices with equal values share one object. */
export interface Assigned {
  readonly id: string;
  /** Path of the program on the server. The bytes at this path never change. */
  readonly url: string;
  readonly placement: Placement;
  /** Hash of the placement, stable across restarts. The player sends this hash to report which placement it has. */
  readonly placement_id: string;
}

export class Task {
  readonly key: string;
  readonly devices = new Set<string>();
  /** Id of the program with which the devices of this task were last compared. */
  announced: string | undefined;
  readonly #compile: (task: Task) => Compiled;
  #compiled: Compiled | undefined;
  /** Cached assignments by placement id. */
  readonly #assigned = new Map<string, Assigned>();

  constructor(key: string, compile: (task: Task) => Compiled) {
    this.key = key;
    this.#compile = compile;
  }

  /** Returns the compiled program. Compiles it first if it is outdated. */
  get compiled(): Compiled {
    this.#compiled ??= this.#compile(this);
    this.announced ??= this.#compiled.id;
    return this.#compiled;
  }

  /** The program if it is up to date; undefined when it is outdated. */
  get ready(): Compiled | undefined {
    return this.#compiled;
  }

  outdate(): void {
    this.#compiled = undefined;
    this.#assigned.clear();
  }

  assigned(placement: Placement, placement_id: string): Assigned {
    const { id } = this.compiled;
    let assigned = this.#assigned.get(placement_id);
    if (!assigned) {
      assigned = { id, url: `/api/player/programs/${id}`, placement, placement_id };
      this.#assigned.set(placement_id, assigned);
    }
    return assigned;
  }
}

export class Tasks {
  readonly #compile: (assignment: Assignment) => Compiled;
  readonly #tasks = new Map<string, Task>();
  readonly #users = new Map<string, Set<Task>>();
  /** For each task, the records on which its program depended at the last compilation. */
  readonly #uses = new WeakMap<Task, ReadonlySet<string>>();

  constructor(compile: (assignment: Assignment) => Compiled) {
    this.#compile = compile;
  }

  all(): Iterable<Task> {
    return this.#tasks.values();
  }

  has(task: Task): boolean {
    return this.#tasks.get(task.key) === task;
  }

  of(assignment: Assignment): Task {
    let task = this.#tasks.get(assignment.key);
    if (!task) {
      task = new Task(assignment.key, (own) => {
        const compiled = this.#compile(assignment);
        this.#note(own, compiled.uses);
        return compiled;
      });
      this.#tasks.set(assignment.key, task);
    }
    return task;
  }

  drop(task: Task): void {
    this.#note(task, new Set());
    this.#tasks.delete(task.key);
  }

  /** Returns the tasks whose programs depend on this record (see {@link Compiled.uses}). */
  using(what: string): Iterable<Task> {
    return this.#users.get(what) ?? [];
  }

  /** Returns the ids of all records of a kind that programs depend on. */
  used(kind: string): string[] {
    return [...this.#users.keys()].flatMap((what) => (what.startsWith(`${kind} `) ? what.slice(kind.length + 1) : []));
  }

  #note(task: Task, uses: ReadonlySet<string>): void {
    const before = this.#uses.get(task) ?? new Set();
    for (const what of before) {
      if (uses.has(what)) continue;
      const users = this.#users.get(what);
      users?.delete(task);
      if (users?.size === 0) this.#users.delete(what);
    }
    for (const what of uses) {
      if (before.has(what)) continue;
      const users = this.#users.get(what);
      if (users) users.add(task);
      else this.#users.set(what, new Set([task]));
    }
    this.#uses.set(task, uses);
  }
}
