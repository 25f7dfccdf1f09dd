/**
 * Processor time and memory of a process and its children. Linux only: on other systems, the result says that nothing
 * is known.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of one unit of user and system time in /proc, on every Linux that Node supports. */
const TICKS_PER_S = 100;

export interface Usage {
  /** Processor time of the running processes, in milliseconds. */
  readonly cpuMs: number;
  /** Memory in megabytes. Shared memory is counted once (proportional set size). */
  readonly memoryMb: number;
}

export const usageOf = (root: number): Usage => {
  const pids = treeOf(root);
  return { cpuMs: sum(pids.map(cpuOf)), memoryMb: sum(pids.map(memoryOf)) };
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const treeOf = (root: number): number[] => {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const fields = /^\d+$/.test(name) ? fieldsOf(Number(name)) : undefined;
    if (fields) parents.set(Number(name), Number(fields[1]));
  }
  const tree = [root];
  for (const parent of tree) for (const [pid, of] of parents) if (of === parent) tree.push(pid);
  return tree;
};

/** Splits the line after the process name, because the name may contain spaces. */
const fieldsOf = (pid: number): string[] | undefined => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ');
  } catch {
    return undefined; // The process has ended.
  }
};

const cpuOf = (pid: number): number => {
  const fields = fieldsOf(pid);
  return fields ? ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_S : 0;
};

const memoryOf = (pid: number): number => {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};
