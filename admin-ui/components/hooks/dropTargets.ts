import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { DroppedFile } from '../fields/fileDrop.utils.ts';

/** Receivers of files that are dropped anywhere in the window, and the text while files are held over it. */
export interface DropTarget {
  readonly title: string;
  readonly lead: string;
  readonly onFiles: (files: DroppedFile[]) => void;
}

let targets: readonly DropTarget[] = [];
const listeners = new Set<() => void>();
const set = (next: readonly DropTarget[]): void => {
  targets = next;
  for (const listener of [...listeners]) listener();
};
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns the latest target: a dialog goes before the page under it. Undefined if this page has no target. */
export const useLastDropTarget = (): DropTarget | undefined =>
  useSyncExternalStore(subscribe, () => targets[targets.length - 1]);

/** Receives all files dropped in the window while the component is mounted. */
export const useDropTarget = ({ title, lead, onFiles }: DropTarget, isDisabled = false): void => {
  const take = useRef(onFiles);
  take.current = onFiles;
  useEffect(() => {
    if (isDisabled) return;
    const target: DropTarget = { title, lead, onFiles: (files) => take.current(files) };
    set([...targets, target]);
    return () => set(targets.filter((one) => one !== target));
  }, [title, lead, isDisabled]);
};
