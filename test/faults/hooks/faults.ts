/**
 * The hooks of the tests: a disk that hangs, fails or fills at a chosen step, a machine that forks no more, and a clock
 * that is set while programs run. They hold for the program they are given to and for every process it starts; rules
 * may change while it runs.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** Undefined: the hooks work here. */
export const whyNoFaults =
  process.platform === 'linux' ? undefined : 'faults of a disk are preloaded, which needs Linux';

/**
 * `hang` and `eio-all` hold for reading too; the others for what changes a file or a folder. `eio-once`: at that one
 * step.
 */
export type DiskFault = 'hang' | 'eio' | 'eio-once' | 'eio-all' | 'enospc' | 'erofs' | 'kill';

/** `sync`: what the file has, or which names the folder has, is on the disk. `open`: it was made, or emptied. */
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
  /** For the program under test. */
  readonly env: Record<string, string>;
  /** The same, with a diary of what it changes. */
  readonly diaryEnv: Record<string, string>;
  /**
   * @param prefix of the paths it holds for
   * @param from the first changing call, counted from 1 in each process, that it holds for (not for `hang`, `eio-all`)
   */
  disk(fault: DiskFault, prefix: string, from?: number): void;
  noFork(): void;
  noThread(): void;
  /** What was changed on disks, in order, by whoever ran with `diaryEnv`. */
  diary(): readonly DiskChange[];
  /** All is well again; what hangs goes on. */
  mend(): void;
}

/** Needs a C compiler, which the tests install where there is none. */
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
