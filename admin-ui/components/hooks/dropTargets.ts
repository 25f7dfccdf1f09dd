import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { DroppedFile } from '../fields/fileDrop.utils.ts';

/**
 * Receivers of files that are dropped anywhere in the window, and the text that is shown while files are dragged
 * over it.
 */
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

/**
 * Returns the drop target that was mounted last, so a dialog precedes the page under it. Undefined if there is no
 * target.
 */
export const useLastDropTarget = (): DropTarget | undefined =>
  useSyncExternalStore(subscribe, () => targets[targets.length - 1]);

/** Makes the mounted component the receiver of all files that are dropped in the window. */
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
