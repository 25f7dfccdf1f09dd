/**
 * Marks what must go on when hardly any room is left: what frees some, and what lets those in who can. All else would
 * eat what is left, and then nobody could help any more.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const necessity = new AsyncLocalStorage<true>();

/** Runs work whose writes go on in an emergency (server/upkeep/disk-room.ts). */
export const asNecessary = <T>(work: () => T): T => necessity.run(true, work);

export const isNecessary = (): boolean => necessity.getStore() === true;
