/** Tests that each request of headquarters is executed or refused with a sentence, and always answered. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AskOf } from '../../../shared/chain/wire.ts';
import { createRequestAnswerer, type Doings, DownlinkRefused } from './requests.ts';

const ID = 'a'.repeat(32);
const ORDER = {
  id: 'o',
  visitor: { id: 'u', name: 'Olga', role: 'workspace_admin' },
  command: { type: 'reboot' },
  tag: null,
};

const setUp = (doings: Partial<Doings> = {}) => {
  const answers: AskOf<'answer'>[] = [];
  const failures: string[] = [];
  const told = createRequestAnswerer({
    doings: {
      rewind: async () => ({}),
      open: async () => ({}),
      command: async () => ({ screens: 2, acked: 1, failed: 0 }),
      desired: async () => ({}),
      update: async () => ({}),
      rehearse: async () => ({ screens: 0, meant: 0, changes: 0, changed_names: [], hidden: [], before: [] }),
      ...doings,
    },
    answer: async (answer) => void answers.push(answer),
    failed: (verb) => void failures.push(verb),
  });
  return { told, answers, failures };
};

test('request is executed, and its answer contains the id of the request', async () => {
  const { told, answers } = setUp();
  await told({ id: ID, verb: 'command', said: { ...ORDER, later: 'members of a newer version' } });
  assert.deepEqual(answers, [{ id: ID, answer: { screens: 2, acked: 1, failed: 0 } }]);
});

test('request to all stores passes its delay to the handler and is not answered', async () => {
  const moments: number[] = [];
  const { told, answers } = setUp({
    desired: async (_said, after_ms) => {
      moments.push(after_ms);
      return {};
    },
  });
  const said = { text: '{}', signature: '0'.repeat(128) };
  await told({ id: ID, verb: 'desired', said, after_ms: 1_500 });
  await told({ id: ID, verb: 'fly', said, after_ms: 0 });
  assert.deepEqual(answers, []);
  await told({ id: ID, verb: 'desired', said });
  assert.deepEqual([moments, answers], [[1_500, 0], [{ id: ID, answer: {} }]]);
});

test('unknown or malformed request, as from a newer headquarters, is refused with a sentence', async () => {
  const { told, answers } = setUp();
  for (const [verb, said] of [
    ['fly', {}],
    ['constructor', {}],
    ['command', { ...ORDER, tag: 5 }],
    ['open', { tunnel: 'short' }],
    ['open', null],
  ] as const)
    await told({ id: ID, verb, said });
  assert.deepEqual(
    answers.map(({ refused }) => refused?.code),
    Array(5).fill('unsupported'),
  );
  await told({ id: ID, verb: 'rewind', said: {} });
  assert.deepEqual(answers.at(-1), { id: ID, answer: {} });
});

test('refusal sends its sentence to headquarters, but the details of an unexpected error are only logged', async () => {
  const { told, answers, failures } = setUp({
    open: () => Promise.reject(new DownlinkRefused('not_allowed', 'Nobody comes in.')),
    command: () => Promise.reject(new Error('secrets of this machine')),
  });
  await told({ id: ID, verb: 'open', said: { tunnel: ID } });
  await told({ id: ID, verb: 'command', said: ORDER });
  assert.deepEqual(answers[0]!.refused, { code: 'not_allowed', error: 'Nobody comes in.' });
  assert.equal(answers[1]!.refused?.code, 'failed');
  assert.ok(!JSON.stringify(answers[1]).includes('secrets'));
  assert.deepEqual(failures, ['command']);
});

test('requests above the limit are refused as busy until earlier requests end', async () => {
  let release = () => {};
  const gate = new Promise<Record<string, never>>((next) => {
    release = () => next({});
  });
  const { told, answers } = setUp({ rewind: () => gate });
  const connection = { id: ID, verb: 'rewind', said: {} };
  const all = Array.from({ length: 33 }, () => told(connection));
  await all.at(-1);
  assert.equal(answers[0]!.refused?.code, 'busy');
  release();
  await Promise.all(all);
  assert.equal(answers.filter(({ answer }) => answer !== undefined).length, 32);
  await told(connection);
  assert.deepEqual(answers.at(-1), { id: ID, answer: {} });
});
