/** Decides by events of the browser whether a page in a frame can be shown. Pure. */

export type Verdict =
  | { readonly kind: 'waiting' }
  /** State of a page that shows some content while more may follow. */
  | { readonly kind: 'content' }
  | { readonly kind: 'good' }
  /** The page tried to open a page that cannot be shown, and was kept on its old content. */
  | { readonly kind: 'stale'; readonly reason: string }
  /** The content that the page shows now is broken and must not be visible. */
  | { readonly kind: 'failed'; readonly reason: string };

export type FrameEvent =
  /** The frame has begun to show another document. `unreachable`: the document is the browser's own error page. */
  | { readonly type: 'committed'; readonly unreachable: boolean }
  /** Answer of the document when the browser was asked for its state. */
  | { readonly type: 'looked'; readonly status: number; readonly complete: boolean; readonly content: boolean }
  /** The document has not answered for a long time. */
  | { readonly type: 'unanswered' }
  | { readonly type: 'crashed' }
  /** A visible page tried to navigate to an answer that cannot be shown, and the navigation was cancelled. */
  | { readonly type: 'refused'; readonly reason: string };

const NO_ANSWER = 'the address does not answer';
const UNANSWERED = 'the page no longer responds: one of its scripts may be in an endless loop';
const CRASHED = 'the page crashed';

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
      // A frame keeps the verdicts `failed` and `stale` until it gets another document.
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
  /** HTTP status of the answer. Undefined: the server did not answer. */
  readonly status: number | undefined;
  /** True for a frame of the screen page itself; false for a frame inside another page. */
  readonly ours: boolean;
}

/**
 * Returns the reason why a visible page may not navigate to this answer, which cannot be shown; null: the page may
 * navigate.
 */
export function refusal(before: Verdict, { status, ours }: DocumentAnswer): string | null {
  if (!ours || (before.kind !== 'good' && before.kind !== 'stale' && before.kind !== 'content')) return null;
  return status === undefined ? NO_ANSWER : statusProblem(status);
}

/**
 * The status is 0 if the document came from no server: a page of the program, or of the browser. Such a page is no
 * problem.
 */
const statusProblem = (status: number): string | null =>
  status >= 400 ? `the address answers with the error ${status}` : null;
