/**
 * Checks the lengths of texts and lists before any other validation. Zod runs the other checks even when the maximum is
 * exceeded; a pattern over a megabyte, or an issue for each of a hundred thousand entries, blocks the event loop for
 * seconds.
 */
import type { z } from 'zod';

interface Bounds {
  /** Maximum number of characters; Infinity: unlimited. */
  readonly text: number;
  /** Maximum number of entries. */
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
  const checks = (schema._zod.def.checks ?? []).map(
    (check) => check._zod.def as { readonly check: string; readonly maximum?: number },
  );
  return Math.min(
    ...checks.flatMap(({ check, maximum }) => (check === 'max_length' && maximum !== undefined ? [maximum] : [])),
  );
};

/** Unwraps optional, nullable, default and transformed schemas. */
const bare = (schema: z.core.$ZodType): z.core.$ZodType => {
  const { innerType, in: input } = definitionOf(schema);
  const inner = innerType ?? input;
  return inner ? bare(inner) : schema;
};

/**
 * Returns the limits of a schema. A union has the largest limits of its branches, because any branch may accept the
 * value.
 */
const boundsOf = (schema: z.core.$ZodType): Bounds => {
  const { type, options } = definitionOf(schema);
  if (options) {
    const all = options.map((option) => boundsOf(bare(option)));
    return { text: Math.max(...all.map(({ text }) => text)), list: Math.max(...all.map(({ list }) => list)) };
  }
  // Types other than text get the limit 0 for text, because their schemas reject a text without reading it.
  if (type === 'string') return { text: maximumOf(schema), list: 0 };
  if (type === 'array') return { text: 0, list: maximumOf(schema) };
  return type === 'any' || type === 'unknown' || type === 'custom'
    ? { text: Number.POSITIVE_INFINITY, list: Number.POSITIVE_INFINITY }
    : { text: 0, list: 0 };
};

interface Plan extends Bounds {
  /**
   * Schema of the entries of a bounded list. Undefined for a list without a maximum, whose entries are not checked
   * here.
   */
  readonly element: z.core.$ZodType | undefined;
  readonly members: readonly (readonly [name: string, schema: z.core.$ZodType])[];
}

/** Cache of the limits of each schema, because every request needs them. */
const plans = new WeakMap<z.core.$ZodType, Plan>();
const planOf = (declared: z.core.$ZodType): Plan => {
  let plan = plans.get(declared);
  if (!plan) {
    const schema = bare(declared);
    const bounds = boundsOf(schema);
    const { element, shape } = definitionOf(schema);
    plan = {
      ...bounds,
      element: Number.isFinite(bounds.list) ? element : undefined,
      members: Object.entries(shape ?? {}),
    };
    plans.set(declared, plan);
  }
  return plan;
};

interface Beyond {
  readonly path: readonly string[];
  readonly message: string;
}

/** Returns path and message of the first field that exceeds its declared length; undefined when there is none. */
export const beyondBounds = (declared: z.core.$ZodType, value: unknown): Beyond | undefined => {
  const { text, list, element, members } = planOf(declared);
  if (typeof value === 'string')
    return text > 0 && value.length > text && value.trim().length > text
      ? { path: [], message: `must be at most ${text} characters` }
      : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    if (list > 0 && value.length > list) return { path: [], message: `must have at most ${list} entries` };
    return element && firstWithin(value.entries(), (entry) => beyondBounds(element, entry));
  }
  for (const [name, member] of members) {
    const beyond = beyondBounds(member, (value as Record<string, unknown>)[name]);
    if (beyond) return within(name, beyond);
  }
  return undefined;
};

const within = (name: string, { path, message }: Beyond): Beyond => ({ path: [name, ...path], message });

const firstWithin = (
  entries: Iterable<readonly [number, unknown]>,
  look: (entry: unknown) => Beyond | undefined,
): Beyond | undefined => {
  for (const [i, entry] of entries) {
    const beyond = look(entry);
    if (beyond) return within(String(i), beyond);
  }
  return undefined;
};
