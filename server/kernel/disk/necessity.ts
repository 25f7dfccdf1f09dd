/**
 * Marks work that must continue when the disk is almost full: work that frees space, and the sign-in of people who can
 * free space. Other writes would use up the rest of the space.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const necessity = new AsyncLocalStorage<true>();

/** Runs work whose writes are allowed even when the disk is almost full (server/upkeep/disk/disk-room.ts). */
export const asNecessary = <T>(work: () => T): T => necessity.run(true, work);

export const isNecessary = (): boolean => necessity.getStore() === true;
