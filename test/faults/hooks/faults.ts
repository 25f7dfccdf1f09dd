/**
 * Fault hooks for tests: a disk that hangs, fails or fills at a chosen step, a machine that cannot start more
 * processes, and a clock that is set while programs run. The hooks apply to the given program and its child processes.
 * The faults may change while the program runs.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** Reason why the hooks do not work here; undefined if they work. */
export const whyNoFaults =
  process.platform === 'linux' ? undefined : 'faults of a disk are preloaded, which needs Linux';

/**
 * Kind of fault. `hang` and `eio-all` also affect reads; the other kinds affect only changes of a file or folder.
 * `eio-once` fails only the given step.
 */
export type DiskFault = 'hang' | 'eio' | 'eio-once' | 'eio-all' | 'enospc' | 'erofs' | 'kill';

/**
 * Kind of disk change. `sync`: the content of the file, or the names in the folder, are on the disk. `open`: the file
 * was created or emptied.
 */
export type DiskChange =
  | { readonly what: 'open'; readonly path: string; readonly empties: boolean }
  | { readonly what: 'write'; readonly path: string; readonly at: number; readonly bytes: Buffer }
  | { readonly what: 'sync' | 'mkdir' | 'remove'; readonly path: string }
  | { readonly what: 'rename'; readonly path: string; readonly to: string };

const changeOf = (line: string): DiskChange => {
  const [what = '', hex = '', more = '', bytes = ''] = line.split(' ');
  const path = Buffer.from(hex, 'hex').toString();
  if (what === 'open') return { what, path, empties: more === 'empty' };
  if (what === 'write') return { what, path, at: Number(more), bytes: Buffer.from(bytes, 'hex') };
  if (what === 'rename') return { what, path, to: Buffer.from(more, 'hex').toString() };
  return { what: what as 'sync' | 'mkdir' | 'remove', path };
};

export interface Faults {
  /** Environment variables for the program under test. */
  readonly env: Record<string, string>;
  /** The same variables, with a record of the program's disk changes. */
  readonly diaryEnv: Record<string, string>;
  /**
   * @param prefix of the affected paths
   * @param from first failing call, counted from 1 in each process, among calls that change something (not for `hang`,
   * `eio-all`)
   */
  disk(fault: DiskFault, prefix: string, from?: number): void;
  noFork(): void;
  noThread(): void;
  /** Returns the disk changes of all programs that ran with `diaryEnv`, in order. */
  diary(): readonly DiskChange[];
  /** Removes all faults. Hanging calls continue. */
  mend(): void;
}

/** Compiles the hooks with a C compiler, which the tests install if it is missing. */
export const createFaults = (t: TestContext): Faults => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-faults-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [library, rules, diary] = [join(folder, 'faults.so'), join(folder, 'rules'), join(folder, 'diary')];
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-w', '-o', library, join(import.meta.dirname, 'faults.c'), '-ldl']);
  let lines: string[] = [];
  const put = () => writeFileSync(rules, lines.join('\n'));
  put();
  return {
    env: { LD_PRELOAD: library, VITRINE_FAULTS: rules },
    diaryEnv: { LD_PRELOAD: library, VITRINE_FAULTS: rules, VITRINE_DIARY: diary },
    disk: (fault, prefix, from = 1) => {
      lines = [...lines, `${fault} ${from} ${prefix}`];
      put();
    },
    noFork: () => {
      lines = [...lines, 'no-fork'];
      put();
    },
    diary: () => readFileSync(diary, 'utf8').trimEnd().split('\n').map(changeOf),
    noThread: () => {
      lines = [...lines, 'no-thread'];
      put();
    },
    mend: () => {
      lines = [];
      put();
    },
  };
};
