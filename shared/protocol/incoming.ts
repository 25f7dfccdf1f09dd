/**
 * Parses messages of the other side. Server and players may have different versions for months, so newer messages are
 * distinguished from wrong messages: newer messages are logged and ignored, malformed messages close the connection.
 */
import type { z } from 'zod';

export type Incoming<M extends { type: string }> =
  | { readonly is: 'message'; readonly message: M }
  /** A message type that is unknown here. */
  | { readonly is: 'unknown'; readonly what: string }
  /** A message with an unknown value of an enumeration; all other fields are as declared. */
  | {
      readonly is: 'newer';
      readonly what: string;
      readonly message: { readonly type: M['type']; readonly [member: string]: unknown };
    }
  | { readonly is: 'malformed'; readonly what: string };

type Issue = z.core.$ZodIssue;
/** Maximum number of characters of a type name in the log. */
const NAME_LENGTH = 60;

/** Returns a parser for the messages of a union with the discriminator `type`. Undeclared fields are removed. */
export const readerOf =
  <M extends { type: string }>(schema: z.ZodType<M>) =>
  (value: unknown): Incoming<M> => {
    const { data, error } = schema.safeParse(value);
    if (!error) return { is: 'message', message: data };
    const { type } = Object(value) as { type?: unknown };
    if (typeof type !== 'string') return { is: 'malformed', what: firstIssue(error) };
    const name = JSON.stringify(type.slice(0, NAME_LENGTH));
    if (error.issues[0]!.path[0] === 'type') return { is: 'unknown', what: `type ${name}` };
    const what = `${name}: ${firstIssue(error)}`;
    return error.issues.every((issue) => isNewer(issue, value))
      ? { is: 'newer', what, message: value as { type: M['type'] } }
      : { is: 'malformed', what };
  };

/** Returns the first fault of a message as text `field: reason`. */
export const firstIssue = ({ issues: [issue] }: z.ZodError): string =>
  `${issue!.path.map(String).join('.') || 'message'}: ${issue!.message}`;

/** Returns whether the fault is only an unknown value of the right type, as a newer version would send it. */
const isNewer = (issue: Issue, value: unknown): boolean => {
  const found = issue.path.reduce<unknown>(
    (inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  );
  if (issue.code === 'invalid_value') return issue.values.some((known) => typeof known === typeof found);
  if (issue.code !== 'invalid_union') return false;
  return issue.discriminator !== undefined
    ? typeof found === 'string'
    : issue.errors.some((wrong) => wrong.every((one) => isNewer(one, found)));
};

/** Reports each text once, and at most `most` texts, so that messages of the other side cannot fill a log. */
export class SaidOnce {
  readonly #said = new Set<string>();
  readonly #say: (what: string) => void;
  readonly #most: number;

  constructor(log: (what: string) => void, most = 100) {
    this.#say = log;
    this.#most = most;
  }

  log(what: string): void {
    if (this.#said.has(what) || this.#said.size >= this.#most) return;
    this.#said.add(what);
    this.#say(what);
  }
}
