import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeTime, MemoryLog } from '../../core/testing/fakes.ts';
import { FrameWatch } from './frame-watch.ts';

type Call = { readonly method: string; readonly params: Record<string, unknown>; readonly session: string | undefined };

/** A browser whose answers the test controls. Frames are inspected only once their name is known. */
async function rig() {
  const calls: Call[] = [];
  const news: { name: string; verdict: { kind: string; reason?: string } }[] = [];
  const look = { answer: { status: 200, complete: true, content: true } as object | 'silent' };
  const time = new FakeTime();
  const log = new MemoryLog();
  const answerTo = ({ method, params }: Call): unknown => {
    if (method === 'DOM.getFrameOwner') return { backendNodeId: 1 };
    if (method === 'DOM.describeNode')
      return { node: { attributes: ['class', 'frame web', 'name', 'vitrine-frame-1'] } };
    if (method === 'Runtime.evaluate' && !String(params.expression).startsWith('dispatchEvent'))
      return { result: { value: look.answer } };
    return {};
  };
  const tools = {
    call: async (schema: { parse(value: unknown): never }, method: string, params: object = {}, session?: string) => {
      const call = { method, params: params as Record<string, unknown>, session };
      calls.push(call);
      if (method === 'Runtime.evaluate') {
        const said = /^dispatchEvent\(new CustomEvent\("vitrine:frame", \{ detail: (.*) \}\)\)$/.exec(
          String(call.params.expression),
        )?.[1];
        if (said) news.push(JSON.parse(said));
        else if (look.answer === 'silent') return new Promise<never>(() => {});
      }
      return schema.parse(answerTo(call));
    },
  };
  const watch = new FrameWatch({ tools: tools as never, page: 'page', time, log });
  await watch.start();
  const event = (method: string, params: Record<string, unknown>, sessionId = 'frame'): void =>
    watch.event({ method, params, sessionId });
  const attach = (sessionId = 'frame', parent = 'page', type = 'iframe'): void =>
    event(
      'Target.attachedToTarget',
      { sessionId, targetInfo: { targetId: `${sessionId}-id`, type }, waitingForDebugger: true },
      parent,
    );
  const paused = (status: number | undefined, frameId = 'frame-id'): void =>
    event('Fetch.requestPaused', {
      requestId: 'r',
      frameId,
      ...(status !== undefined && { responseStatusCode: status }),
    });
  const called = (method: string): Call[] => calls.filter((call) => call.method === method);
  return { watch, time, log, look, news, event, attach, paused, called, calls };
}

test('FrameWatch adds the guard script before a frame begins, also in nested frames', async () => {
  const { attach, calls, time } = await rig();
  attach();
  attach('inner', 'frame');
  await time.advance(0);
  for (const session of ['frame', 'inner']) {
    const order = calls.filter((call) => call.session === session).map(({ method }) => method);
    assert.ok(
      order.indexOf('Page.addScriptToEvaluateOnNewDocument') < order.indexOf('Runtime.runIfWaitingForDebugger'),
      order.join(' '),
    );
    assert.ok(
      order.indexOf('Target.setAutoAttach') < order.indexOf('Runtime.runIfWaitingForDebugger'),
      order.join(' '),
    );
  }
});

test('FrameWatch resumes paused workers, worklets and unknown kinds of targets, and sends them nothing else', async () => {
  const { attach, calls, time } = await rig();
  attach();
  const kinds = ['worker', 'shared_worker', 'service_worker', 'worklet', 'auction_worklet', 'kind of a later version'];
  for (const kind of kinds) for (const parent of ['page', 'frame']) attach(`${kind} of ${parent}`, parent, kind);
  await time.advance(60_000);
  for (const kind of kinds)
    for (const parent of ['page', 'frame'])
      assert.deepEqual(
        calls.filter(({ session }) => session === `${kind} of ${parent}`).map(({ method }) => method),
        ['Runtime.runIfWaitingForDebugger'],
      );
});

test('FrameWatch resumes a frame whose session is unknown, and a frame that begins after FrameWatch has ended', async () => {
  const { watch, attach, called } = await rig();
  attach('stray', 'a session that has ended');
  watch.stop();
  attach('late');
  assert.deepEqual(
    called('Runtime.runIfWaitingForDebugger').map(({ session }) => session),
    ['stray', 'late'],
  );
});

test('FrameWatch reports each new verdict about a frame once, from its first document on', async () => {
  const { attach, event, news, time, look } = await rig();
  attach();
  await time.advance(1_000);
  assert.deepEqual(news, [{ name: 'vitrine-frame-1', verdict: { kind: 'waiting' } }]);
  event('Page.frameNavigated', { frame: { id: 'frame-id' } });
  await time.advance(60_000);
  assert.deepEqual(news.slice(1), [{ name: 'vitrine-frame-1', verdict: { kind: 'good' } }]);
  look.answer = 'silent';
  await time.advance(4_900);
  await time.advance(10_100);
  assert.match(news.at(-1)?.verdict.reason ?? '', /no longer responds/);
  assert.equal(news.length, 3);
});

test('FrameWatch stops only the script of a hanging page, because other pages may share the process', async () => {
  const { attach, event, time, look, called } = await rig();
  attach();
  event('Page.frameNavigated', { frame: { id: 'frame-id' } });
  look.answer = 'silent';
  await time.advance(16_000);
  assert.deepEqual(
    called('Runtime.terminateExecution').map(({ session }) => session),
    ['frame'],
  );
});

test('FrameWatch keeps a page when its navigation fails, and allows the first navigation and those of nested frames', async () => {
  const { attach, event, paused, time, called, news } = await rig();
  attach();
  await time.advance(0);
  paused(404);
  assert.equal(called('Fetch.failRequest').length, 0);
  event('Page.frameNavigated', { frame: { id: 'frame-id' } });
  await time.advance(1_000);
  paused(404, 'another');
  paused(200);
  assert.equal(called('Fetch.failRequest').length, 0);
  assert.equal(called('Fetch.continueRequest').length, 3);
  paused(undefined);
  assert.equal(called('Fetch.failRequest').length, 1);
  await time.advance(0);
  assert.deepEqual(news.at(-1)?.verdict, { kind: 'stale', reason: 'the address does not answer' });
});

test('FrameWatch reports a crashed frame, and sends no requests to a frame that is gone', async () => {
  const { attach, event, time, called, news } = await rig();
  attach();
  event('Page.frameNavigated', { frame: { id: 'frame-id' } });
  await time.advance(1_000);
  event('Inspector.targetCrashed', {});
  await time.advance(0);
  assert.deepEqual(news.at(-1)?.verdict, { kind: 'failed', reason: 'the page crashed' });
  event('Target.detachedFromTarget', { sessionId: 'frame' }, 'page');
  const asked = called('Runtime.evaluate').length;
  await time.advance(60_000);
  assert.equal(called('Runtime.evaluate').length, asked);
  event(
    'Page.frameNavigated',
    { frame: { id: 'x', parentId: 'top', name: 'vitrine-frame-7', unreachableUrl: 'http://nobody/' } },
    'page',
  );
  await time.advance(0);
  assert.deepEqual(news.at(-1), {
    name: 'vitrine-frame-7',
    verdict: { kind: 'failed', reason: 'the address does not answer' },
  });
});
