/** Tests requests of headquarters to stores: routing, answers and limits. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { MAX_AFTER_MS } from '../../../shared/chain/wire.ts';
import { newKey } from '../../store-link/testing/journal.ts';
import { Refused } from '../stores/refused.ts';
import { openHq, silent } from '../testing/rig.ts';
import { Downlink, type Ear, NotDone } from './downlink.ts';

const setUp = (t: TestContext) => {
  const hq = openHq(t);
  const downlink = new Downlink({ registry: hq.registry, log: silent });
  hq.registry.onGone((id) => downlink.drop({ id }));
  return { ...hq, downlink };
};

class Heard implements Ear {
  readonly lines: { id: string; verb: string; said: unknown }[] = [];
  beats = 0;
  ended = 0;
  reads = true;

  send(text: string): boolean {
    if (text === '\n') this.beats++;
    else this.lines.push(JSON.parse(text));
    return this.reads;
  }

  end(): void {
    this.ended++;
  }
}

const codeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof NotDone) return error.code;
      throw error;
    },
  );

test('store answers a request once, and headquarters ignores answers for which no request is waiting', async (t) => {
  const { downlink, addStore } = setUp(t);
  const mill = addStore('mill');
  assert.equal(await codeOf(downlink.request(mill, 'rewind', {})), 'away');
  const ear = new Heard();
  downlink.attach(mill, ear);
  const asked = downlink.request(mill, 'open', { tunnel: 'a'.repeat(32) });
  const [line] = ear.lines;
  assert.deepEqual([line!.verb, line!.said], ['open', { tunnel: 'a'.repeat(32) }]);
  downlink.answered(mill, { id: 'f'.repeat(32), answer: {} });
  downlink.answered(mill, { id: line!.id, answer: {} });
  assert.deepEqual(await asked, {});
  downlink.answered(mill, { id: line!.id, answer: {} });
});

test('downlink ignores answers of stores that were not asked, and refuses malformed answers', async (t) => {
  const { downlink, addStore } = setUp(t);
  const [mill, dock] = [addStore('mill'), addStore('dock')];
  const [ear, other] = [new Heard(), new Heard()];
  downlink.attach(mill, ear);
  downlink.attach(dock, other);
  const order = {
    id: 'o',
    visitor: { id: 'u', name: 'Olga', role: 'workspace_admin' },
    command: { type: 'reboot' },
    tag: null,
  } as const;
  const asked = codeOf(downlink.request(mill, 'command', order));
  const { id } = ear.lines[0]!;
  downlink.answered(dock, { id, answer: { screens: 1, acked: 1, failed: 0 } });
  assert.throws(() => downlink.answered(mill, { id, answer: { screens: -1 } }), Refused);
  assert.equal(await asked, 'failed');
  const refused = codeOf(downlink.request(mill, 'command', order));
  downlink.answered(mill, { id: ear.lines[1]!.id, refused: { code: 'not_allowed', error: 'No.' } });
  assert.equal(await refused, 'not_allowed');
});

test('request fails when the store answers late or disconnects, and a new connection replaces the old one', async (t) => {
  const { downlink, addStore } = setUp(t);
  const mill = addStore('mill');
  const [first, second] = [new Heard(), new Heard()];
  const detach = downlink.attach(mill, first);
  assert.equal(await codeOf(downlink.request(mill, 'rewind', {}, 5)), 'silent');
  const lost = codeOf(downlink.request(mill, 'rewind', {}));
  downlink.attach(mill, second);
  assert.equal(await lost, 'silent');
  assert.equal(first.ended, 1);
  // The old connection ends after the new connection was opened. This must not close the new connection.
  detach();
  assert.ok(downlink.isListening(mill));
  second.reads = false;
  assert.equal(await codeOf(downlink.request(mill, 'rewind', {})), 'silent');
  assert.ok(!downlink.isListening(mill), 'one that does not read is given up');
});

test('downlink sends nothing more to the old server of a store after another PC has replaced it', async (t) => {
  const { downlink, addStore, stores, registry, db } = setUp(t);
  const [mill, dock] = [addStore('mill'), addStore('dock')];
  const ears = [new Heard(), new Heard()];
  downlink.attach(mill, ears[0]!);
  downlink.attach(dock, ears[1]!);
  const asked = codeOf(downlink.request(mill, 'rewind', {}));
  db.write(() => {
    stores.enrol(mill.id, { key: newKey().key, server_name: 'S', workspace_name: 'W', at: 2 });
    registry.refresh(mill.id);
  });
  await db.durable();
  assert.equal(await asked, 'silent');
  assert.deepEqual(
    ears.map(({ ended }) => ended),
    [1, 0],
  );
  // Downlink recognises a replaced server even if nothing has called drop().
  downlink.attach(mill, ears[0]!);
  assert.equal(await codeOf(downlink.request(mill, 'rewind', {})), 'away');
  downlink.beat();
  assert.deepEqual([ears[0]!.ended, ears[1]!.beats, downlink.listening], [2, 1, 1]);
});

test('send() does not wait for an answer, and returns false when the store does not listen or read', (t) => {
  const { downlink, addStore } = setUp(t);
  const [mill, dock] = [addStore('mill'), addStore('dock')];
  const ear = new Heard();
  downlink.attach(mill, ear);
  const said = { text: 'x', signature: '0'.repeat(128) };
  for (let n = 0; n < 100; n++) assert.ok(downlink.send(mill, 'desired', said, n));
  assert.ok(downlink.send(mill, 'desired', said, 10 ** 9));
  assert.deepEqual(
    [ear.lines.length, ear.lines[7], ear.lines.at(-1)],
    [
      101,
      { id: ear.lines[7]!.id, verb: 'desired', said, after_ms: 7 },
      { id: ear.lines.at(-1)!.id, verb: 'desired', said, after_ms: MAX_AFTER_MS },
    ],
  );
  assert.equal(new Set(ear.lines.map(({ id }) => id)).size, 101);
  // A store with the previous version of Vitrine answers even when headquarters expects no answer.
  downlink.answered(mill, { id: ear.lines[0]!.id, answer: {} });
  assert.equal(downlink.send(dock, 'desired', said, 0), false);
  assert.equal(downlink.send(mill, 'desired', { ...said, text: 'x'.repeat(200_000) }, 0), false);
  ear.reads = false;
  assert.equal(downlink.send(mill, 'desired', said, 0), false);
  assert.ok(!downlink.isListening(mill), 'one that does not read is given up');
});

test('downlink refuses a request when 64 are unanswered, or when the request is too long for one line of text', async (t) => {
  const { downlink, addStore } = setUp(t);
  const mill = addStore('mill');
  const ear = new Heard();
  downlink.attach(mill, ear);
  const asked = Array.from({ length: 64 }, () => codeOf(downlink.request(mill, 'rewind', {})));
  assert.equal(await codeOf(downlink.request(mill, 'rewind', {})), 'busy');
  const visitor = { id: 'u', name: 'x'.repeat(400), role: 'workspace_admin' } as const;
  const long = { type: 'launch', payload: { url: 'x'.repeat(200_000) } };
  for (const { id } of ear.lines) downlink.answered(mill, { id, answer: {} });
  assert.deepEqual(new Set(await Promise.all(asked)), new Set(['done']));
  assert.equal(
    await codeOf(downlink.request(mill, 'command', { id: 'o', visitor, command: long, tag: null })),
    'failed',
  );
  downlink.stop();
  assert.equal(ear.ended, 1);
});
