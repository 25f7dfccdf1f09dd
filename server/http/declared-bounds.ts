/**
 * The declared lengths of texts and lists, looked at before anything else of them: a schema's other checks run although its maximum
 * is exceeded, and a pattern over a megabyte, or an issue for each of a hundred thousand entries, holds the loop for seconds.
 */
import type { z } from 'zod';

interface Bounds {
  /** Characters; Infinity: as many as there are. */
  readonly text: number;
  /** Entries. */
  readonly list: number;
}

interface Definition {
  readonly type: string;
  readonly innerType?: z.core.$ZodType;
  readonly in?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
}

const definitionOf = (schema: z.core.$ZodType): Definition => schema._zod.def as unknown as Definition;
const maximumOf = (schema: z.core.$ZodType): number => {
  const checks = (schema._zod.def.checks ?? []).map((check) => check._zod.def as { readonly check: string; readonly maximum?: number });
  return Math.min(...checks.flatMap(({ check, maximum }) => (check === 'max_length' && maximum !== undefined ? [maximum] : [])));
};

/** Through what says only that something may be absent, or what becomes of it. */
const bare = (schema: z.core.$ZodType): z.core.$ZodType => {
  const { innerType, in: input } = definitionOf(schema);
  const inner = innerType ?? input;
  return inner ? bare(inner) : schema;
};

/** Of a union the largest: what another branch takes is not too long. */
const boundsOf = (schema: z.core.$ZodType): Bounds => {
  const { type, options } = definitionOf(schema);
  if (options) {
    const all = options.map((option) => boundsOf(bare(option)));
    return { text: Math.max(...all.map(({ text }) => text)), list: Math.max(...all.map(({ list }) => list)) };
  }
  // What takes no text refuses it without reading it.
  if (type === 'string') return { text: maximumOf(schema), list: 0 };
  if (type === 'array') return { text: 0, list: maximumOf(schema) };
  return type === 'any' || type === 'unknown' || type === 'custom' ? { text: Number.POSITIVE_INFINITY, list: Number.POSITIVE_INFINITY } : { text: 0, list: 0 };
};

/** Of the first member that is longer than declared: its path and what it must be. Undefined: none is. */
export const beyondBounds = (
  declared: z.core.$ZodType,
  value: unknown,
  path: readonly string[] = [],
): { readonly path: readonly string[]; readonly message: string } | undefined => {
  const schema = bare(declared);
  const { text, list } = boundsOf(schema);
  if (typeof value === 'string') return text > 0 && value.trim().length > text ? { path, message: `must be at most ${text} characters` } : undefined;
  const { element, shape } = definitionOf(schema);
  if (Array.isArray(value)) {
    if (list > 0 && value.length > list) return { path, message: `must have at most ${list} entries` };
    return element && Number.isFinite(list) ? firstOf(value.entries(), ([i, entry]) => beyondBounds(element, entry, [...path, String(i)])) : undefined;
  }
  if (typeof value !== 'object' || value === null || !shape) return undefined;
  return firstOf(Object.entries(shape), ([name, member]) => beyondBounds(member, (value as Record<string, unknown>)[name], [...path, name]));
};

const firstOf = <T, R>(items: Iterable<T>, look: (item: T) => R | undefined): R | undefined => {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
};
