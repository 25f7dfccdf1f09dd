/**
 * Two hosts on one machine: network namespaces joined by a virtual cable (a veth pair), without a default route, like a
 * store without internet. Needs Linux and root.
 */
import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { TestContext } from 'node:test';

export interface Host {
  /** Name of the network namespace. */
  readonly name: string;
  readonly address: string;
  /** Network interface at the host's end of the cable. */
  readonly device: string;
  /**
   * Starts a program on this host. The returned process is the program itself, so it gets signals directly. The program
   * is killed when the test ends.
   */
  start(file: string, args: readonly string[], options?: SpawnOptions): ChildProcess;
  /** Runs a program on this host. Returns its output. @throws when it fails */
  run(file: string, ...args: string[]): string;
}

export interface TwoHosts {
  readonly a: Host;
  readonly b: Host;
  /** Unplugs the cable, or plugs it in. */
  cable(plugged: boolean): void;
}

const ip = (...args: string[]): string =>
  execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 10_000 });

/** Returns the reason why network namespaces cannot be created here, for a test's `skip`; undefined if they can. */
export const whyNoNamespaces = (): string | undefined => {
  if (process.platform !== 'linux') return 'network namespaces are a thing of Linux';
  if (process.getuid?.() !== 0) return 'network namespaces need root';
  const name = `vtr-try-${randomBytes(3).toString('hex')}`;
  try {
    ip('netns', 'add', name);
  } catch (error) {
    return `network namespaces cannot be made here: ${(error as Error).message.split('\n')[0]}`;
  }
  try {
    ip('netns', 'exec', name, 'ip', 'link', 'set', 'lo', 'up');
    return undefined;
  } catch (error) {
    return `network namespaces cannot be entered here: ${(error as Error).message.split('\n')[0]}`;
  } finally {
    ip('netns', 'del', name);
  }
};

/** @param t removes the hosts and their processes when it ends */
export const twoHosts = (t: TestContext): TwoHosts => {
  // Interface names have at most 15 characters.
  const mark = randomBytes(3).toString('hex');
  const make = (letter: 'a' | 'b', address: string): Host => {
    const name = `vtr-${mark}-${letter}`;
    const device = `vt${mark}${letter}`;
    const children: ChildProcess[] = [];
    ip('netns', 'add', name);
    t.after(async () => {
      for (const child of children)
        if (child.exitCode === null && child.signalCode === null)
          await Promise.all([once(child, 'exit'), child.kill('SIGKILL')]);
      ip('netns', 'del', name);
    });
    return {
      name,
      address,
      device,
      start(file, args, options = {}) {
        const child = spawn('ip', ['netns', 'exec', name, file, ...args], options);
        children.push(child);
        return child;
      },
      run: (file, ...args) => ip('netns', 'exec', name, file, ...args),
    };
  };
  const a = make('a', '10.77.0.1');
  const b = make('b', '10.77.0.2');
  ip('link', 'add', a.device, 'netns', a.name, 'type', 'veth', 'peer', 'name', b.device, 'netns', b.name);
  for (const host of [a, b]) {
    host.run('ip', 'link', 'set', 'lo', 'up');
    host.run('ip', 'address', 'add', `${host.address}/24`, 'dev', host.device);
    host.run('ip', 'link', 'set', host.device, 'up');
  }
  return {
    a,
    b,
    cable: (plugged) => {
      b.run('ip', 'link', 'set', b.device, plugged ? 'up' : 'down');
    },
  };
};
