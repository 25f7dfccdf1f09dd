import type { ReactNode } from 'react';
import { type DropTarget, useDropTarget } from '../hooks/dropTargets.ts';

/**
 * Accepts files and folders that are dropped anywhere in the window. Users without a pointer use the upload button.
 */
export function FileDrop({
  isDisabled,
  children,
  ...target
}: DropTarget & { isDisabled?: boolean; children: ReactNode }) {
  useDropTarget(target, isDisabled);
  return children;
}
