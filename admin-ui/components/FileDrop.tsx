import type { ReactNode } from 'react';
import { type DropTarget, useDropTarget } from './dropTargets.ts';

/**
 * What it holds takes files and folders that are dropped anywhere in the window. The way by keyboard is the upload
 * button.
 */
export function FileDrop({
  isDisabled,
  children,
  ...target
}: DropTarget & { isDisabled?: boolean; children: ReactNode }) {
  useDropTarget(target, isDisabled);
  return children;
}
