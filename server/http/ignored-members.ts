/**
 * Names the members of a body that an endpoint does not take, so that a misspelled one does not pass for done. They are
 * no error: clients send whole records back, and clients of other servers send more than we know.
 */
import type { z } from 'zod';
import { type Endpoint, isMultipart, isStream } from '../../shared/contract/endpoint.ts';

export const IGNORED_HEADER = 'Vitrine-Ignored';
/** Proxies refuse long headers; the first names are enough to find the mistake. */
const MOST_NAMES = 20;
/** What may stand in a header, and is not misread in a list. */
const SAFE_NAME = /^[\w.-]{1,64}$/;

interface Definition {
  readonly type: string;
  readonly innerType?: z.core.$ZodType;
  readonly in?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly left?: z.core.$ZodType;
  readonly right?: z.core.$ZodType;
  readonly getter?: () => z.core.$ZodType;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly catchall?: z.core.$ZodType;
}
type Names = ReadonlySet<string> | 'any';

/** Returns the names of an object's members, or of the objects in a list; `any` where the schema does not say. */
const namesIn = (schema: z.core.$ZodType): Names => {
  const {
    type,
    innerType,
    in: input,
    element,
    options,
    left,
    right,
    getter,
    shape,
    catchall,
  } = schema._zod.def as unknown as Definition;
  if (type === 'object') return catchall && catchall._zod.def.type !== 'never' ? 'any' : new Set(Object.keys(shape!));
  const parts = options ?? (left && right ? [left, right] : [innerType ?? input ?? element ?? getter?.()]);
  const names = parts.map((part) => (part ? namesIn(part) : 'any'));
  return names.includes('any') ? 'any' : new Set((names as ReadonlySet<string>[]).flatMap((each) => [...each]));
};

export class IgnoredMembers {
  /** Names that raise no warning, by endpoint. */
  readonly #known = new Map<Endpoint, Names>();

  constructor(endpoints: readonly Endpoint[]) {
    const records = new Map(endpoints.filter(({ method }) => method === 'GET').map((one) => [one.path, one.response]));
    for (const endpoint of endpoints) {
      const { body, path, response } = endpoint;
      if (body === null || isMultipart(body)) continue;
      const taken = namesIn(body);
      // Members of the record as it is returned are sent back by clients that change one of the others.
      const returned = [response, records.get(path)].flatMap((answer) => {
        const names = answer === undefined || isStream(answer) ? undefined : namesIn(answer);
        return names === undefined || names === 'any' ? [] : [...names];
      });
      this.#known.set(endpoint, taken === 'any' ? 'any' : new Set([...taken, ...returned]));
    }
  }

  /** Returns the value of the header; undefined when every member is known. */
  of(endpoint: Endpoint, body: unknown): string | undefined {
    const known = this.#known.get(endpoint) ?? 'any';
    if (known === 'any' || typeof body !== 'object' || body === null) return undefined;
    const ignored = Object.keys(body).filter((name) => !known.has(name));
    if (ignored.length === 0) return undefined;
    const named = ignored.filter((name) => SAFE_NAME.test(name)).slice(0, MOST_NAMES);
    return [...named, ...(named.length < ignored.length ? ['...'] : [])].join(', ');
  }
}
