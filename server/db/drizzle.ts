/**
 * Loads drizzle as CommonJS. As ES modules its 150 files cost 450 ms and 160 MB at start, because Node reads the
 * package's 180 kB package.json again for each file. CommonJS takes 60 ms and 25 MB. All other modules import drizzle
 * from here.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const orm = require('drizzle-orm') as typeof import('drizzle-orm');

export const { and, asc, count, desc, eq, getTableColumns, gt, inArray, isNotNull, isNull, lt, lte, ne, or, sql } = orm;
export type { SQL } from 'drizzle-orm';

const driver = require('drizzle-orm/better-sqlite3') as typeof import('drizzle-orm/better-sqlite3');
export const { drizzle } = driver;
export type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';

/** Loads the migrator, which is needed only when there are new migrations. */
export const loadMigrator = () =>
  require('drizzle-orm/better-sqlite3/migrator') as typeof import('drizzle-orm/better-sqlite3/migrator');

const core = require('drizzle-orm/sqlite-core') as typeof import('drizzle-orm/sqlite-core');
export const { blob, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } = core;
export type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
