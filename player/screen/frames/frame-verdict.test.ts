import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FrameEvent, refusal, type Verdict, verdictAfter } from './frame-verdict.ts';

const committed: FrameEvent = { type: 'committed', unreachable: false };
const looked = (status: number, complete: boolean, content = complete): FrameEvent => ({
  type: 'looked',
  status,
  complete,
  content,
});
const after = (...events: FrameEvent[]): Verdict => events.reduce<Verdict>(verdictAfter, { kind: 'waiting' });
const reasonAfter = (...events: FrameEvent[]): string => {
  const verdict = after(...events);
  return `${verdict.kind}: ${'reason' in verdict ? verdict.reason : ''}`;
};

test('page is good once it is complete, and a page that keeps loading has the verdict `content` before', () => {
  assert.deepEqual(after(committed), { kind: 'waiting' });
  assert.deepEqual(after(committed, looked(200, false)), { kind: 'waiting' });
  assert.deepEqual(after(committed, looked(200, false, true)), { kind: 'content' });
  assert.deepEqual(after(committed, looked(200, false, true), looked(200, true)), { kind: 'good' });
  assert.deepEqual(after(committed, looked(200, true), looked(200, false, false)), { kind: 'good' });
  assert.deepEqual(after(committed, looked(0, true)), { kind: 'good' });
});

test('failed page has a sentence as reason, and stays failed until the frame loads another document', () => {
  const broken: [string, FrameEvent[]][] = [
    ['failed: the address does not answer', [{ type: 'committed', unreachable: true }]],
    ['failed: the address answers with the error 404', [committed, looked(404, true)]],
    ['failed: the address answers with the error 503', [committed, looked(200, true), committed, looked(503, false)]],
    ['failed: the page crashed', [committed, looked(200, true), { type: 'crashed' }]],
    [
      'failed: the page no longer responds: one of its scripts may be in an endless loop',
      [committed, { type: 'unanswered' }],
    ],
    [
      'stale: the address answers with the error 500',
      [committed, looked(200, true), { type: 'refused', reason: 'the address answers with the error 500' }],
    ],
  ];
  for (const [expected, events] of broken) {
    assert.equal(reasonAfter(...events), expected);
    assert.equal(reasonAfter(...events, looked(200, true)), expected);
    assert.deepEqual(after(...events, committed, looked(200, true)), { kind: 'good' });
  }
  assert.equal(
    reasonAfter({ type: 'crashed' }, { type: 'unanswered' }, { type: 'refused', reason: 'x' }),
    'failed: the page crashed',
  );
});

test('visible page may not navigate to an address that does not answer or answers with an error', () => {
  const ours = true;
  for (const kind of ['good', 'content'] as const) {
    assert.equal(refusal({ kind }, { status: undefined, ours }), 'the address does not answer');
    assert.equal(refusal({ kind }, { status: 404, ours }), 'the address answers with the error 404');
    assert.equal(refusal({ kind }, { status: 200, ours }), null);
    assert.equal(refusal({ kind }, { status: 302, ours }), null);
    assert.equal(refusal({ kind }, { status: 500, ours: false }), null);
  }
  assert.equal(refusal({ kind: 'stale', reason: '' }, { status: 500, ours }), 'the address answers with the error 500');
  assert.equal(refusal({ kind: 'waiting' }, { status: 500, ours }), null);
  assert.equal(refusal({ kind: 'failed', reason: '' }, { status: undefined, ours }), null);
});
