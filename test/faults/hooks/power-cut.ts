/**
 * Simulates a disk after a power cut: it contains all synced data, and an arbitrary part of the other data. Bytes of a
 * file that was not synced may be old, new, cut short, or zero. The creation, move or removal of a name is certain once
 * the folder was synced. The outcome of each change is decided separately, as on a disk that keeps no order.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { DiskChange } from './faults.ts';

interface File {
  now: Buffer;
  synced: Buffer;
}
class Folder {
  readonly names: Map<string, File | Folder>;
  readonly before: ReadonlyMap<string, File | Folder>;
  constructor(names: ReadonlyMap<string, File | Folder> = new Map()) {
    this.names = new Map(names);
    this.before = names;
  }
}
/** A change of a folder: a name is created, moved or removed. */
interface Naming {
  readonly folder: Folder;
  readonly name: string;
  /** The file or folder with this name; undefined if the name was removed. */
  readonly node: File | Folder | undefined;
  readonly from?: { readonly folder: Folder; readonly name: string };
  isSure: boolean;
}

const load = (path: string): Folder =>
  new Folder(
    new Map(
      readdirSync(path, { withFileTypes: true }).map((entry): [string, File | Folder] => {
        if (entry.isDirectory()) return [entry.name, load(join(path, entry.name))];
        const now = readFileSync(join(path, entry.name));
        return [entry.name, { now, synced: now }];
      }),
    ),
  );

/**
 * @param base the folder before the changes, all on the disk
 * @param place folder of the changes; other paths are ignored
 */
export const afterPowerCut = (
  { base, place, changes, into }: { base: string; place: string; changes: readonly DiskChange[]; into: string },
  /**
   * One number for each uncertain change, in the order of the changes. The number chooses the outcome; a missing number
   * counts as 0.
   */
  chances: readonly number[],
): void => {
  const root = load(base);
  const namings: Naming[] = [];
  const find = (path: string): File | Folder | undefined => {
    const inner = relative(place, path);
    if (inner.startsWith('..')) return undefined;
    let node: File | Folder | undefined = root;
    for (const name of inner.split('/').filter(Boolean))
      node = node instanceof Folder ? node.names.get(name) : undefined;
    return node;
  };
  const nameIt = (path: string, node: File | Folder | undefined, from?: string) => {
    const [folder, source] = [find(dirname(path)), from === undefined ? undefined : find(dirname(from))];
    if (!(folder instanceof Folder)) return;
    if (source instanceof Folder) source.names.delete(basename(from!));
    if (node) folder.names.set(basename(path), node);
    else folder.names.delete(basename(path));
    namings.push({
      folder,
      name: basename(path),
      node,
      ...(source instanceof Folder && { from: { folder: source, name: basename(from!) } }),
      isSure: false,
    });
  };
  for (const change of changes) {
    const node = find(change.path);
    if (change.what === 'mkdir') nameIt(change.path, new Folder());
    else if (change.what === 'remove') nameIt(change.path, undefined);
    else if (change.what === 'rename') nameIt(change.to, node, change.path);
    else if (change.what === 'open' && !node) nameIt(change.path, { now: Buffer.alloc(0), synced: Buffer.alloc(0) });
    else if (change.what === 'sync' && node instanceof Folder)
      for (const naming of namings) naming.isSure ||= naming.folder === node;
    else if (node && !(node instanceof Folder)) {
      if (change.what === 'sync') node.synced = node.now;
      else if (change.what === 'open' && change.empties) node.now = Buffer.alloc(0);
      else if (change.what === 'write') {
        const after = Buffer.alloc(Math.max(node.now.length, change.at + change.bytes.length));
        node.now.copy(after);
        change.bytes.copy(after, change.at);
        node.now = after;
      }
    }
  }
  const left = [...chances];
  const chance = () => left.shift() ?? 0;
  const kept = new Map<Folder, Map<string, File | Folder>>();
  const namesOf = (folder: Folder) => kept.get(folder) ?? kept.set(folder, new Map(folder.before)).get(folder)!;
  for (const { folder, name, node, from, isSure } of namings) {
    if (!isSure && chance() % 2 === 0) continue;
    if (from && namesOf(from.folder).get(from.name) === node) namesOf(from.folder).delete(from.name);
    if (node) namesOf(folder).set(name, node);
    else namesOf(folder).delete(name);
  }
  const bytesOf = ({ now, synced }: File): Buffer =>
    now.equals(synced) ? now : [synced, now, now.subarray(0, now.length >> 1), Buffer.alloc(now.length)][chance() % 4]!;
  const save = (folder: Folder, path: string) => {
    mkdirSync(path, { recursive: true });
    for (const [name, node] of namesOf(folder)) {
      if (node instanceof Folder) save(node, join(path, name));
      else writeFileSync(join(path, name), bytesOf(node));
    }
  };
  save(root, into);
};
