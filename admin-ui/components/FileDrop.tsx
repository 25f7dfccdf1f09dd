import type { ReactNode } from 'react';
import { type DropTarget, useDropTarget } from './dropTargets.ts';

/**
 * Accepts files and folders that are dropped anywhere in the browser window. The upload button is the alternative for
 * keyboards.
 */
export function FileDrop({
  isDisabled,
  children,
  ...target
}: DropTarget & { isDisabled?: boolean; children: ReactNode }) {
  useDropTarget(target, isDisabled);
  return children;
}
