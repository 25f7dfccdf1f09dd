import type { ReactNode } from 'react';
import { type DropTarget, useDropTarget } from '../hooks/dropTargets.ts';

/**
 * Its content accepts files and folders that are dropped anywhere in the window. The upload button is the alternative
 * for keyboards.
 */
export function FileDrop({
  isDisabled,
  children,
  ...target
}: DropTarget & { isDisabled?: boolean; children: ReactNode }) {
  useDropTarget(target, isDisabled);
  return children;
}
