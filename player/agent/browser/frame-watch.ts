/**
 * Watches the frames of the screen page and reports each page that breaks (does not open, answers with an error,
 * crashes, hangs) to the screen page, which selects other content. Frames of other origins are separate processes, each
 * reached through its own session, including nested frames.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Log, Time, Undo } from '../../core/ports.ts';
import { FRAME_NEWS, FRAME_PREFIX, type FrameNews } from '../../screen/frames/frame-news.ts';
import { type FrameEvent, refusal, type Verdict, verdictAfter } from '../../screen/frames/frame-verdict.ts';
import type { DevTools, DevToolsEvent } from './devtools.ts';
import { frameGuard } from './frame-guard.ts';

/**
 * Interval of inspections. A loading page is inspected often. A loaded page is inspected rarely, to detect whether it
 * hangs.
 */
const AWAITED_EVERY_MS = 250;
const SHOWN_EVERY_MS = 5_000;
/**
 * Time limit of an inspection. A heavy dashboard computes for some seconds on a weak board, while its picture stays.
 */
const ANSWER_WITHIN_MS = 10_000;

const Any = z.unknown();
const Attached = z.object({ sessionId: z.string(), targetInfo: z.object({ targetId: z.string(), type: z.string() }) });
const Detached = z.object({ sessionId: z.string() });
const Navigated = z.object({
  frame: z.object({
    id: z.string(),
    parentId: z.string().optional(),
    name: z.string().optional(),
    unreachableUrl: z.string().optional(),
  }),
});
const Paused = z.object({ requestId: z.string(), frameId: z.string(), responseStatusCode: z.number().optional() });
const Owner = z.object({ backendNodeId: z.number() });
const Node = z.object({ node: z.object({ attributes: z.array(z.string()).default([]) }) });
const Looked = z.object({
  result: z.object({ value: z.object({ status: z.number(), complete: z.boolean(), content: z.boolean() }) }),
});

/** `responseStatus` is the HTTP status of the document; 0 if no server sent the document. */
const LOOK = `({
  status: performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0,
  complete: document.readyState === 'complete',
  content: document.body !== null && (document.body.childElementCount > 0 || document.body.textContent.trim() !== ''),
})`;

interface Watched {
  readonly frame: string;
  readonly session: string;
  /** DevTools session that contains the frame element. */
  readonly parent: string | undefined;
  /** Name given by the screen page; null: a nested frame, or not known yet. */
  name: string | null;
  verdict: Verdict;
  /** Whether the first real document was committed. The initial empty document does not count. */
  committed: boolean;
  /** Number of inspections. If the result of an earlier inspection arrives late, it is ignored. */
  looks: number;
  cancel: Undo | undefined;
}

interface Deps {
  readonly tools: Pick<DevTools, 'call'>;
  /** Session of the screen page; undefined if the caller is attached to the screen page only. */
  readonly page: string | undefined;
  readonly time: Pick<Time, 'after'>;
  readonly log: Pick<Log, 'warn'>;
}

export class FrameWatch {
  readonly #deps: Deps;
  readonly #source = frameGuard(randomUUID());
  /** The watched frames, by session id. */
  readonly #frames = new Map<string, Watched>();
  #isStopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    const { page } = this.#deps;
    await this.#call('Page.enable', {}, page);
    await this.#guard(page);
  }

  stop(): void {
    this.#isStopped = true;
    for (const { cancel } of this.#frames.values()) cancel?.();
    this.#frames.clear();
  }

  event({ method, sessionId, params }: DevToolsEvent): void {
    const watched = sessionId === undefined ? undefined : this.#frames.get(sessionId);
    const isKnown = !this.#isStopped && (watched !== undefined || sessionId === this.#deps.page);
    if (method === 'Target.attachedToTarget') return this.#attached(sessionId, { params, isKnown });
    if (!isKnown) return;
    if (method === 'Target.detachedFromTarget') return this.#detached(params);
    if (method === 'Page.frameNavigated') return this.#navigated(watched, params);
    if (!watched) return;
    if (method === 'Inspector.targetCrashed') this.#crashed(watched);
    if (method === 'Fetch.requestPaused') this.#paused(watched, params);
  }

  /** Messages of one session are processed in order, so the guard script is in place before the page begins. */
  async #guard(session: string | undefined): Promise<void> {
    await Promise.all([
      this.#call('Page.addScriptToEvaluateOnNewDocument', { source: this.#source }, session),
      this.#call(
        'Target.setAutoAttach',
        {
          autoAttach: true,
          waitForDebuggerOnStart: true,
          flatten: true,
          // The filter includes all target types: Chromium pauses workers and worklets too, and never resumes a target
          // that the filter excludes.
          filter: [{}],
        },
        session,
      ),
    ]);
  }

  /**
   * Resumes each target that Chromium has paused for this connection: a frame after its guard is in place, a worker, a
   * worklet and any other kind at once. A target that stays paused never runs, and cannot be terminated by its page.
   */
  #attached(parent: string | undefined, { params, isKnown }: { params: unknown; isKnown: boolean }): void {
    const { sessionId: session, targetInfo } = Attached.parse(params);
    if (!isKnown || targetInfo.type !== 'iframe') return this.#resume(session);
    const watched: Watched = {
      frame: targetInfo.targetId,
      session,
      parent,
      name: null,
      verdict: { kind: 'waiting' },
      committed: false,
      looks: 0,
      cancel: undefined,
    };
    this.#frames.set(session, watched);
    const ready = [
      this.#call('Page.enable', {}, session),
      this.#call('Inspector.enable', {}, session),
      this.#guard(session),
    ];
    if (parent === this.#deps.page) {
      const patterns = [{ resourceType: 'Document', requestStage: 'Response' }];
      ready.push(this.#call('Fetch.enable', { patterns }, session));
      this.#quietly(this.#nameOf(watched));
    }
    this.#resume(session);
    this.#quietly(Promise.all(ready));
  }

  #resume(session: string): void {
    this.#quietly(this.#call('Runtime.runIfWaitingForDebugger', {}, session));
  }

  /** Reads the name from the frame element, because the page in the frame can change its own name. */
  async #nameOf(watched: Watched): Promise<void> {
    const { tools } = this.#deps;
    const { backendNodeId } = await tools.call(Owner, 'DOM.getFrameOwner', { frameId: watched.frame }, watched.parent);
    const { attributes } = (await tools.call(Node, 'DOM.describeNode', { backendNodeId }, watched.parent)).node;
    const at = attributes.findIndex((text, index) => index % 2 === 0 && text === 'name');
    const name = at < 0 ? undefined : attributes[at + 1];
    if (!name?.startsWith(FRAME_PREFIX)) return;
    watched.name = name;
    this.#tell(watched);
    this.#look(watched);
  }

  #detached(params: unknown): void {
    const gone = Detached.safeParse(params).data?.sessionId;
    const watched = gone === undefined ? undefined : this.#frames.get(gone);
    if (!watched) return;
    watched.cancel?.();
    this.#frames.delete(watched.session);
  }

  #navigated(watched: Watched | undefined, params: unknown): void {
    const { frame } = Navigated.parse(params);
    const unreachable = frame.unreachableUrl !== undefined;
    if (watched) {
      if (frame.id !== watched.frame) return;
      watched.committed = true;
      this.#judge(watched, { type: 'committed', unreachable });
      this.#look(watched);
      return;
    }
    // An event of the screen page's own session is about a frame that stayed in the same process, usually because its
    // address is unreachable.
    const name = frame.name ?? '';
    if (frame.parentId === undefined || !unreachable || !name.startsWith(FRAME_PREFIX)) return;
    this.#say({ name, verdict: verdictAfter({ kind: 'waiting' }, { type: 'committed', unreachable }) });
  }

  #crashed(watched: Watched): void {
    watched.cancel?.();
    watched.looks++;
    this.#judge(watched, { type: 'crashed' });
  }

  #paused(watched: Watched, params: unknown): void {
    const { requestId, frameId, responseStatusCode: status } = Paused.parse(params);
    const reason = refusal(watched.verdict, { status, ours: watched.name !== null && frameId === watched.frame });
    if (reason === null) return this.#quietly(this.#call('Fetch.continueRequest', { requestId }, watched.session));
    // An aborted navigation changes nothing: the page stays as it was before.
    this.#quietly(this.#call('Fetch.failRequest', { requestId, errorReason: 'Aborted' }, watched.session));
    this.#judge(watched, { type: 'refused', reason });
  }

  #judge(watched: Watched, event: FrameEvent): void {
    const before = watched.verdict;
    watched.verdict = verdictAfter(before, event);
    if (JSON.stringify(before) !== JSON.stringify(watched.verdict)) this.#tell(watched);
  }

  #look(watched: Watched): void {
    watched.cancel?.();
    if (watched.name === null || !watched.committed || !this.#frames.has(watched.session)) return;
    const look = ++watched.looks;
    watched.cancel = this.#deps.time.after(ANSWER_WITHIN_MS, () => {
      watched.looks++;
      this.#judge(watched, { type: 'unanswered' });
      // Ends only the script of the page, because other pages may share the process.
      this.#quietly(this.#call('Runtime.terminateExecution', {}, watched.session));
    });
    this.#deps.tools
      .call(Looked, 'Runtime.evaluate', { expression: LOOK, returnByValue: true }, watched.session)
      .then(({ result }) => look === watched.looks && this.#judge(watched, { type: 'looked', ...result.value }))
      // The evaluation fails while one document is replaced by the next. The next inspection follows.
      .catch(() => {})
      .finally(() => {
        const { kind } = watched.verdict;
        // A frame with the verdict `failed` keeps this verdict until it gets another document.
        if (look !== watched.looks || kind === 'failed') return;
        this.#lookIn(watched, kind === 'waiting' || kind === 'content' ? AWAITED_EVERY_MS : SHOWN_EVERY_MS);
      });
  }

  #lookIn(watched: Watched, ms: number): void {
    watched.cancel?.();
    if (this.#frames.has(watched.session)) watched.cancel = this.#deps.time.after(ms, () => this.#look(watched));
  }

  #tell({ name, verdict }: Watched): void {
    if (name !== null) this.#say({ name, verdict });
  }

  #say(news: FrameNews): void {
    const expression = `dispatchEvent(new CustomEvent(${JSON.stringify(FRAME_NEWS)}, { detail: ${JSON.stringify(news)} }))`;
    this.#quietly(this.#call('Runtime.evaluate', { expression }, this.#deps.page));
  }

  #call(method: string, params: object, session: string | undefined): Promise<unknown> {
    return this.#deps.tools.call(Any, method, params, session);
  }

  /** The frame or the browser may have ended before it answers. The error is ignored. */
  #quietly(work: Promise<unknown>): void {
    work.catch((error: Error) => {
      if (
        !/Session with given id not found|browser has ended|Target closed|No frame|not found|Frame with the given|Cannot find|Target crashed/i.test(
          error.message,
        )
      )
        this.#deps.log.warn('a frame could not be watched', error.message);
    });
  }
}
