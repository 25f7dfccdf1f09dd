/** Executes the requests of headquarters to a store, and answers them. No request can stop the server. */
import type { z } from 'zod';
import {
  type AskOf,
  type DownlinkAnswerOf,
  type DownlinkLine,
  type DownlinkVerb,
  type SaidOf,
  TOLD,
} from '../../../shared/chain/wire.ts';

/** Maximum number of parallel requests. Further requests are refused as busy. */
const MAX_AT_ONCE = 32;

/**
 * Handlers by name of the request. @param after_ms delay in milliseconds, as in DownlinkLine; 0: at once @throws
 * DownlinkRefused with a sentence
 */
export type Doings = {
  readonly [V in DownlinkVerb]: (said: SaidOf<V>, after_ms: number) => Promise<DownlinkAnswerOf<V>>;
};

type Refused = NonNullable<AskOf<'answer'>['refused']>;

/** Error: the store refuses a request of headquarters. The message is shown to people at headquarters. */
export class DownlinkRefused extends Error {
  readonly code: Refused['code'];

  constructor(code: Refused['code'], sentence: string) {
    super(sentence);
    this.code = code;
  }
}

/**
 * Returns the handler of each request.
 * @param answer sends an answer; if sending fails, headquarters gets no answer
 */
export const createRequestAnswerer = ({
  doings,
  answer,
  failed,
}: {
  readonly doings: Doings;
  readonly answer: (answer: AskOf<'answer'>) => Promise<unknown>;
  readonly failed: (verb: string, error: unknown) => void;
}) => {
  let atOnce = 0;
  const does = async ({ verb, said, after_ms = 0 }: DownlinkLine): Promise<Omit<AskOf<'answer'>, 'id'>> => {
    if (!Object.hasOwn(TOLD, verb))
      return refused('unsupported', 'This store’s version of Vitrine cannot do this yet. Update Vitrine in the store.');
    const known = verb as DownlinkVerb;
    const parsed = (TOLD[known].said as z.ZodType).safeParse(said);
    if (!parsed.success)
      return refused(
        'unsupported',
        'This store’s version of Vitrine does not understand this request. Update Vitrine in the store.',
      );
    if (atOnce > MAX_AT_ONCE)
      return refused('busy', 'The store is busy with earlier requests of headquarters. Try again later.');
    const work = doings[known] as (said: unknown, after_ms: number) => Promise<unknown>;
    return { answer: await work(parsed.data, after_ms) };
  };
  return async (line: DownlinkLine): Promise<void> => {
    atOnce++;
    const done = await does(line).catch((error: unknown) => {
      if (error instanceof DownlinkRefused) return refused(error.code, error.message);
      failed(line.verb, error);
      return refused('failed', 'The store could not do this. See its log for the cause.');
    });
    atOnce--;
    if (line.after_ms !== undefined) return;
    await answer({ id: line.id, ...done }).catch((error: unknown) => failed(line.verb, error));
  };
};

const refused = (code: Refused['code'], error: string): { refused: Refused } => ({ refused: { code, error } });
