/**
 * Converts an uploaded export to steps. The conversion takes seconds and much memory, so it runs in its own thread
 * (manifest.worker.ts).
 */
import { type FileHandle, open } from 'node:fs/promises';
import { MAX_ZONES } from '../../../shared/contract/content/layouts.ts';
import { MAX_PLAYLIST_ITEMS } from '../../../shared/contract/content/playlists.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { DESIGN_TYPE } from '../../../shared/design/design-type.ts';
import { shapeOf } from '../../kernel/json-shape.ts';
import { Exchange, FORMAT, MANIFEST_NAME, type Step, type Summary } from './exchange-format.ts';
import {
  MAX_DEPTH,
  MAX_MANIFEST,
  MAX_NAME,
  MAX_RECORD,
  MAX_VALUES,
  MOST_BLOCKS,
  mebibytes,
  requireBounded,
  requireFew,
  requireProportion,
  shown,
  tooCostly,
} from './exchange-limits.ts';
import { fromScreentinker, isScreentinker, MANIFEST_NAME as SCREENTINKER_NAME } from './screentinker.ts';
import { NoZip, readDirectory, unpacked, type ZipEntry, ZipRefused } from './zip-reader.ts';

/** Bytes of steps per chunk. Parsing a chunk takes some milliseconds. */
const CHUNK_BYTES = 64 * 1024;
const NO_ENTRIES: ReadonlyMap<string, ZipEntry> = new Map();

interface ReadManifest {
  readonly summary: Summary;
  /** JSON lists of steps, in order. */
  readonly chunks: readonly Buffer[];
}

/** @param maxFileBytes limit of one file, like for uploads. @throws ApiError 413, 415 */
export const readManifest = async (path: string, maxFileBytes: number): Promise<ReadManifest> => {
  const file = await open(path);
  try {
    const { size: sent } = await file.stat();
    const entries = await directoryOf(path);
    const { exchange, from } = understood(await bytesOf(file, sent, entries), entries ?? NO_ENTRIES);
    const { contents, widgets, kiosk_pages, layouts, playlists, groups, schedules } = exchange;
    requireFew(
      'items',
      playlists.reduce((sum, { items }) => sum + items.length, 0),
    );
    const files = filesOf(exchange, entries ?? NO_ENTRIES, maxFileBytes);
    const unpackedBytes = [...files.values()].reduce(
      (sum, entry) => sum + (typeof entry === 'string' ? 0 : entry.size),
      0,
    );
    requireProportion(sent, unpackedBytes);
    return {
      summary: {
        from,
        counts: {
          contents: contents.length,
          widgets: widgets.length,
          kiosk_pages: kiosk_pages.length,
          layouts: layouts.length,
          playlists: playlists.length,
          groups: groups.length,
          schedules: schedules.length,
        },
        groups: groups.map(({ name }) => name.slice(0, MAX_NAME)),
        screens: [...new Set(schedules.flatMap(({ device_name }) => device_name || []))],
        unpacked: unpackedBytes,
      },
      chunks: [...chunked(stepsOf(exchange, files))],
    };
  } finally {
    await file.close();
  }
};

const notAnExport = () =>
  new ApiError(415, 'This file is not an export. Send a ZIP from Vitrine, or a ZIP or JSON from screentinker.');
const tooLarge = () =>
  new ApiError(
    413,
    `The JSON file of the export is larger than ${mebibytes(MAX_MANIFEST)}, the limit of an import. Nothing was changed.`,
  );

/** Returns undefined when the file is not a ZIP. */
const directoryOf = async (path: string): Promise<ReadonlyMap<string, ZipEntry> | undefined> => {
  try {
    return await readDirectory(path);
  } catch (error) {
    if (error instanceof NoZip) return undefined;
    if (error instanceof ZipRefused) throw new ApiError(415, `${error.message}. Nothing was changed.`);
    throw error;
  }
};

/** Reads no more bytes than a manifest may have. */
const bytesOf = async (
  file: FileHandle,
  sent: number,
  entries: ReadonlyMap<string, ZipEntry> | undefined,
): Promise<Buffer> => {
  const entry = entries && [MANIFEST_NAME, SCREENTINKER_NAME].flatMap((name) => entries.get(name) ?? [])[0];
  if (entries && !entry) throw notAnExport();
  if ((entry?.size ?? sent) > MAX_MANIFEST) throw entry || (await beginsAsJson(file)) ? tooLarge() : notAnExport();
  if (!entry) return file.readFile();
  const parts: Buffer[] = [];
  try {
    for await (const part of unpacked(file, entry)) parts.push(part);
  } catch (error) {
    throw error instanceof ZipRefused ? notAnExport() : error;
  }
  return Buffer.concat(parts);
};

const beginsAsJson = async (file: FileHandle): Promise<boolean> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
  return /^\s*\{/.test(buffer.toString('utf8', 0, bytesRead));
};

const understood = (
  bytes: Buffer,
  entries: ReadonlyMap<string, ZipEntry>,
): { exchange: Exchange; from: Summary['from'] } => {
  const { depth, values } = shapeOf(bytes);
  if (values > MAX_VALUES)
    throw new ApiError(
      413,
      `The JSON file of the export has ${values} values; an import accepts at most ${MAX_VALUES}. Nothing was changed.`,
    );
  if (depth > MAX_DEPTH)
    throw new ApiError(
      415,
      `The JSON file of the export is nested ${depth} levels deep; an import accepts at most ${MAX_DEPTH}. Nothing was changed.`,
    );
  const json = tried(() => JSON.parse(bytes.toString('utf8')) as unknown);
  requireBounded(json);
  const from = isScreentinker(json) ? 'screentinker' : 'vitrine';
  const exchange = tried(() => (from === 'screentinker' ? fromScreentinker(json, entries) : Exchange.parse(json)));
  if (exchange) return { exchange, from };
  if ((json as { format?: unknown } | null | undefined)?.format === FORMAT)
    throw new ApiError(415, 'This export was made by a newer version of Vitrine, or is damaged');
  throw notAnExport();
};

const tried = <T>(parse: () => T): T | undefined => {
  try {
    return parse();
  } catch {
    return undefined;
  }
};

/** Returns each file that contents name, once, or the reason why the file is not unpacked. */
const filesOf = (
  { contents }: Exchange,
  entries: ReadonlyMap<string, ZipEntry>,
  maxFileBytes: number,
): ReadonlyMap<string, ZipEntry | string> => {
  const named = new Set(contents.flatMap(({ file }) => file || []));
  return new Map(
    [...named].map((name) => {
      const entry = entries.get(name);
      return [name, entry ? (tooCostly(entry, maxFileBytes) ?? entry) : 'the file is not in the export'];
    }),
  );
};

function* stepsOf(
  { contents, widgets, kiosk_pages, layouts, playlists, groups, schedules }: Exchange,
  files: ReadonlyMap<string, ZipEntry | string>,
): Generator<Step> {
  // Designs come after the contents that they show.
  const isDesign = ({ mime_type }: Exchange['contents'][number]) => mime_type === DESIGN_TYPE;
  for (const record of [...contents.filter((one) => !isDesign(one)), ...contents.filter(isDesign)]) {
    const entry = (record.file && files.get(record.file)) || null;
    yield typeof entry === 'string'
      ? leftOut(`The content ${shown(record.filename)}`, entry)
      : { kind: 'content', record, entry };
  }
  for (const record of widgets) yield { kind: 'widget', record };
  for (const record of kiosk_pages) yield { kind: 'kiosk_page', record };
  for (const record of layouts) {
    const { length } = record.zones;
    yield length > MAX_ZONES
      ? leftOut(
          `The layout ${shown(record.name)}`,
          `the layout has ${length} zones; a layout can have at most ${MAX_ZONES}`,
        )
      : { kind: 'layout', record };
  }
  for (const { items, ...record } of playlists) {
    const what = `The playlist ${shown(record.name)}`;
    if (items.length > MAX_PLAYLIST_ITEMS) {
      yield leftOut(what, `the playlist has ${items.length} items; a playlist can have at most ${MAX_PLAYLIST_ITEMS}`);
      continue;
    }
    yield { kind: 'playlist', record };
    for (const item of items) {
      const { length } = item.schedules;
      yield length > MOST_BLOCKS
        ? leftOut(
            `An item of the playlist ${shown(record.name)}`,
            `the item has ${length} play times; an item can have at most ${MOST_BLOCKS}`,
          )
        : { kind: 'item', record: item };
    }
    yield { kind: 'playlist_end', record: { published: record.published } };
  }
  for (const record of groups) yield { kind: 'group', record };
  for (const record of schedules) yield { kind: 'schedule', record };
}

const leftOut = (what: string, why: string): Step => ({ kind: 'left_out', record: `${what} was not imported: ${why}` });

function* chunked(steps: Iterable<Step>): Generator<Buffer> {
  let parts: string[] = [];
  let size = 0;
  for (const step of steps) {
    const part = bounded(step);
    parts.push(part);
    size += part.length;
    if (size < CHUNK_BYTES) continue;
    yield Buffer.from(`[${parts.join(',')}]`);
    parts = [];
    size = 0;
  }
  if (parts.length > 0) yield Buffer.from(`[${parts.join(',')}]`);
}

const bounded = (step: Step): string => {
  const text = JSON.stringify(step);
  if (text.length <= MAX_RECORD) return text;
  const { name, filename, title } = step.record as { name?: unknown; filename?: unknown; title?: unknown };
  const called = [name, filename, title].find((one) => typeof one === 'string') ?? '(without a name)';
  return JSON.stringify(
    leftOut(`The ${step.kind.replace('_', ' ')} ${shown(called)}`, `the entry is larger than ${mebibytes(MAX_RECORD)}`),
  );
};
