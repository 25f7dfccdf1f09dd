/**
 * Replaces drizzle.ts in the bundle, where loading drizzle's ES modules costs nothing. The build fails when a name is
 * missing here.
 */
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';

export * from 'drizzle-orm';
export * from 'drizzle-orm/better-sqlite3';
export * from 'drizzle-orm/sqlite-core';
export const loadMigrator = () => ({ migrate });
