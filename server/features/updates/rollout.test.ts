import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextStep, type RolloutScreen, type RolloutState } from './rollout.ts';

const START = 1_000_000;
const rollout = (stage: RolloutState['stage'] = 'first'): RolloutState => ({ version: '2.0.0', stage, minutes: 10 });
const screen = (id: string, more: Partial<RolloutScreen> = {}): RolloutScreen => ({
  id,
  name: id,
  stage: 'everyone',
  online: true,
  version: '1.0.0',
  showing: true,
  lastHeartbeat: START,
  status: 'waiting',
  toldAt: null,
  seenAt: null,
  error: null,
  ...more,
});
const first = (more: Partial<RolloutScreen> = {}) => screen('till', { stage: 'first', ...more });
const up = { version: '2.0.0', status: 'told', toldAt: START, seenAt: START + 60, lastHeartbeat: START + 90 } as const;

test('a rollout updates only the first screen at the start', () => {
  const step = nextStep(rollout(), [first(), screen('door', { stage: 'groups' }), screen('yard')], START);
  assert.deepEqual([step.tell, step.stage, step.outcome], [['till'], 'first', 'running']);
});

test('a screen counts as healthy when it runs the version, has been running for a while and shows its program', () => {
  const now = START + 100;
  assert.deepEqual(nextStep(rollout(), [first({ ...up, seenAt: null })], now).seen, ['till']);
  assert.deepEqual(nextStep(rollout(), [first({ ...up, lastHeartbeat: START + 79 })], now).healthy, []);
  assert.deepEqual(nextStep(rollout(), [first({ ...up, showing: false })], now).healthy, []);
  assert.deepEqual(nextStep(rollout(), [first(up)], now).healthy, ['till']);
});

test('a rollout continues from the first screen to the chosen groups, and then to all screens', () => {
  const others = [screen('door', { stage: 'groups' }), screen('yard')];
  const groups = nextStep(rollout(), [first(up), ...others], START + 100);
  assert.deepEqual([groups.tell, groups.stage], [['door'], 'groups']);
  const everyone = nextStep(
    rollout('groups'),
    [first({ status: 'healthy' }), screen('door', { stage: 'groups', status: 'healthy' }), screen('yard')],
    START,
  );
  assert.deepEqual([everyone.tell, everyone.stage], [['yard'], 'everyone']);
  assert.deepEqual(
    nextStep(rollout(), [first({ status: 'healthy' }), screen('yard')], START).tell,
    ['yard'],
    'without groups all others follow at once',
  );
});

test('an offline screen delays only the first stage, and is updated when it is online again', () => {
  assert.deepEqual(nextStep(rollout(), [first({ online: false }), screen('yard')], START).stage, 'first');
  const off = screen('door', { stage: 'groups', online: false });
  const step = nextStep(
    rollout('groups'),
    [first({ status: 'healthy' }), off, screen('yard', { status: 'healthy' })],
    START,
  );
  assert.deepEqual([step.stage, step.outcome, step.tell], ['everyone', 'running', []]);
  assert.deepEqual(
    nextStep(rollout('everyone'), [first({ status: 'healthy' }), { ...off, online: true }], START).tell,
    ['door'],
  );
});

test('a rollout is done when all screens that can be updated are healthy', () => {
  const step = nextStep(
    rollout('everyone'),
    [first({ status: 'healthy' }), screen('stick', { status: 'unsupported' }), screen('yard', { ...up })],
    START + 100,
  );
  assert.equal(step.outcome, 'done');
});

test('a rollout stops when an updated screen is not healthy after the chosen minutes', () => {
  const told = { status: 'told', toldAt: START } as const;
  const at = (more: Partial<RolloutScreen>, seconds: number) =>
    nextStep(
      rollout('everyone'),
      [first({ status: 'healthy' }), screen('door', { ...told, ...more }), screen('yard')],
      START + seconds,
    );
  assert.equal(at({}, 599).outcome, 'running');
  const step = at({}, 600);
  assert.deepEqual(
    [step.outcome, step.tell, step.reason],
    ['stopped', [], 'door did not come up with 2.0.0: it still runs 1.0.0 after 10 minutes.'],
  );
  assert.match(at({ online: false }, 600).reason ?? '', /is not back after 10 minutes/);
  assert.match(at({ version: '2.0.0', showing: false }, 600).reason ?? '', /does not show its program/);
});

test('a rollout stops at once when its first screen cannot update itself', () => {
  const step = nextStep(rollout(), [first({ status: 'unsupported' }), screen('yard')], START);
  assert.deepEqual([step.outcome, step.reason], ['stopped', 'till cannot update itself: choose another first screen.']);
});
