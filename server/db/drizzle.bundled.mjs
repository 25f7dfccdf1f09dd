/**
 * Stands for drizzle.ts in the bundle, where drizzle's ES modules cost nothing. A name that is missing here fails the
 * build.
 */
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';

export * from 'drizzle-orm';
export * from 'drizzle-orm/better-sqlite3';
export * from 'drizzle-orm/sqlite-core';
export const loadMigrator = () => ({ migrate });
