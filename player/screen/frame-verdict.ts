/** Judges a page in a frame by what the browser says of it. Pure. */

export type Verdict =
  | { readonly kind: 'waiting' }
  /** There is something to see, and more may come. */
  | { readonly kind: 'content' }
  | { readonly kind: 'good' }
  /** It wanted to go on to a page that cannot be shown, and was kept where it was. */
  | { readonly kind: 'stale'; readonly reason: string }
  /** What it shows now must not be seen. */
  | { readonly kind: 'failed'; readonly reason: string };

export type FrameEvent =
  /** Another document took the frame; the browser's own error page, where the address could not be opened. */
  | { readonly type: 'committed'; readonly unreachable: boolean }
  /** What its document answered. */
  | { readonly type: 'looked'; readonly status: number; readonly complete: boolean; readonly content: boolean }
  /** Its document has not answered for long. */
  | { readonly type: 'unanswered' }
  | { readonly type: 'crashed' }
  /** The answer to a navigation of a page that was good. */
  | { readonly type: 'refused'; readonly reason: string };

const NO_ANSWER = 'the address does not answer';
const UNANSWERED = 'its page no longer responds: one of its scripts may be in an endless loop';
const CRASHED = 'the process of its page ended';

export function verdictAfter(before: Verdict, event: FrameEvent): Verdict {
  switch (event.type) {
    case 'committed':
      return event.unreachable ? { kind: 'failed', reason: NO_ANSWER } : { kind: 'waiting' };
    case 'crashed':
      return { kind: 'failed', reason: CRASHED };
    case 'unanswered':
      return before.kind === 'failed' ? before : { kind: 'failed', reason: UNANSWERED };
    case 'refused':
      return before.kind === 'failed' ? before : { kind: 'stale', reason: event.reason };
    case 'looked': {
      // Only another document changes these.
      if (before.kind === 'failed' || before.kind === 'stale') return before;
      const problem = statusProblem(event.status);
      if (problem !== null) return { kind: 'failed', reason: problem };
      if (event.complete || before.kind === 'good') return { kind: 'good' };
      return event.content ? { kind: 'content' } : before;
    }
    default:
      event satisfies never;
      return before;
  }
}

export interface DocumentAnswer {
  /** Undefined: nobody answered. */
  readonly status: number | undefined;
  /** Whether the frame is one of ours, and not one within a page. */
  readonly ours: boolean;
}

/** Why a page that is good may not go on to this answer, which cannot be shown; null: it may. */
export function refusal(before: Verdict, { status, ours }: DocumentAnswer): string | null {
  if (!ours || (before.kind !== 'good' && before.kind !== 'stale' && before.kind !== 'content')) return null;
  return status === undefined ? NO_ANSWER : statusProblem(status);
}

/** The status is 0 where no server answered: a page of the program, or of the browser. */
const statusProblem = (status: number): string | null => (status >= 400 ? `the address answers ${status}` : null);
