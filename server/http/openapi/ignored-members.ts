/**
 * Lists body fields that an endpoint does not know, so that a client notices a misspelled name. Unknown fields are not
 * an error: clients send whole records back, and clients of other servers send more fields.
 */
import type { z } from 'zod';
import { type Endpoint, isMultipart, isStream } from '../../../shared/contract/endpoint.ts';

export const IGNORED_HEADER = 'Vitrine-Ignored';
/**
 * Maximum number of field names in the response header, because proxies reject long headers. The first names are enough
 * to find the mistake.
 */
const MOST_NAMES = 20;
/** Matches names that are safe in a header and contain no separator of the list. */
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

/**
 * Returns the field names of an object schema, or of the objects in a list; `any` if the schema does not restrict them.
 */
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

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const isPlain = (value: unknown): boolean => value === null || ['string', 'number', 'boolean'].includes(typeof value);

/**
 * Returns whether the sent value of a field differs from the stored value. Times, lists and objects are not compared:
 * times change with each edit, and lists and objects may be sent in another form.
 */
const differs = (name: string, sent: unknown, has: unknown): boolean =>
  !name.endsWith('_at') && isPlain(sent) && isPlain(has) && plainOf(sent) !== plainOf(has);
const plainOf = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value);

export class IgnoredMembers {
  /** Field names that an endpoint accepts, by endpoint. */
  readonly #known = new Map<Endpoint, Names>();
  /** For each endpoint, the fields that its answer contains but its body does not accept. */
  readonly #returned = new Map<Endpoint, readonly string[]>();

  constructor(endpoints: readonly Endpoint[]) {
    const records = new Map(endpoints.filter(({ method }) => method === 'GET').map((one) => [one.path, one.response]));
    for (const endpoint of endpoints) {
      const { body, path, response } = endpoint;
      if (body === null || isMultipart(body)) continue;
      const taken = namesIn(body);
      // Fields of the returned record count as known to the body, because clients change one field and send the whole
      // record back.
      const returned = [response, records.get(path)].flatMap((answer) => {
        const names = answer === undefined || isStream(answer) ? undefined : namesIn(answer);
        return names === undefined || names === 'any' ? [] : [...names];
      });
      this.#known.set(endpoint, taken === 'any' ? 'any' : new Set([...taken, ...returned]));
      this.#returned.set(endpoint, taken === 'any' ? [] : returned.filter((name) => !taken.has(name)));
    }
  }

  /**
   * Returns the value of the header; undefined when all fields are known.
   * @param answer the returned record, if any.
   * Fields of the record that the body does not accept are named if their value differs, because the client wanted to
   * change them
   */
  of(endpoint: Endpoint, body: unknown, answer?: unknown): string | undefined {
    const known = this.#known.get(endpoint) ?? 'any';
    if (known === 'any' || !isObject(body)) return undefined;
    const refused = isObject(answer)
      ? (this.#returned.get(endpoint) ?? []).filter((name) => differs(name, body[name], answer[name]))
      : [];
    const ignored = [...Object.keys(body).filter((name) => !known.has(name)), ...new Set(refused)];
    if (ignored.length === 0) return undefined;
    const named = ignored.filter((name) => SAFE_NAME.test(name)).slice(0, MOST_NAMES);
    return [...named, ...(named.length < ignored.length ? ['...'] : [])].join(', ');
  }
}
