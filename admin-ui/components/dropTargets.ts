import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { DroppedFile } from './fileDrop.utils.ts';

/** Who takes files that are dropped anywhere in the window, and what is said while they are held over it. */
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

/** Whoever came last takes them: a dialog goes before the page under it. Undefined: nobody on this page has asked. */
export const useLastDropTarget = (): DropTarget | undefined =>
  useSyncExternalStore(subscribe, () => targets[targets.length - 1]);

/** Takes what is dropped anywhere in the window for as long as it is drawn. */
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
