import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JournalRow } from '../../../shared/protocol/journal-chain.ts';
import type { PlayerMessage } from '../../../shared/protocol/messages.ts';
import { FakeCrypto, FakeTime, MemoryLog } from '../testing/fakes.ts';
import { PlayDelivery } from './play-delivery.ts';

const row = (seq: number, content_name = 'photo.jpg'): JournalRow => ({
  seq,
  prev: `hash-${seq - 1}`,
  hash: `hash-${seq}`,
  id: `play-${seq}`,
  boot_id: 'boot',
  uncertainty_ms: 1,
  item_id: 1,
  playlist_id: 'p',
  content_id: 'c',
  widget_id: null,
  zone_id: null,
  content_name,
  started_at: 0,
  ended_at: 1,
  completed: true,
});

const start = () => {
  const time = new FakeTime();
  const kit = {
    reading: () => {},
    log: new MemoryLog(),
    rows: [] as JournalRow[],
    seal: 'signed' as string | undefined,
    open: true,
    forgotten: [] as number[],
  };
  const sent: { first: number; count: number; at: number; chain: unknown; message: PlayerMessage }[] = [];
  const began = time.mono();
  const delivery = new PlayDelivery({
    journal: {
      pending: async (limit) => {
        kit.reading();
        return kit.rows.slice(0, limit);
      },
      forget: async (through) => {
        kit.forgotten.push(through);
        kit.rows = kit.rows.filter(({ seq }) => seq > through);
      },
      seal: () => kit.seal,
    },
    time,
    crypto: new FakeCrypto(),
    log: kit.log,
    send: (message) => {
      if (!kit.open) return false;
      if (message.type === 'plays')
        sent.push({
          first: message.first,
          count: message.plays.length,
          at: time.mono() - began,
          chain: message.chain,
          message,
        });
      return true;
    },
  });
  const batches = () => sent.map(({ first, count, at }) => [first, count, at]);
  return { time, kit, sent, batches, delivery };
};

test('plays are sent within 5 s, again after 30 s without an answer, and the next batch after the answer', async () => {
  const { time, kit, sent, batches, delivery } = start();
  kit.rows = Array.from({ length: 700 }, (_, n) => row(n + 1));
  delivery.schedule();
  await time.advance(10_000);
  assert.deepEqual(batches(), [], 'not before it is connected');
  delivery.connected();
  delivery.schedule();
  await time.advance(2_500);
  assert.deepEqual(batches(), [[1, 500, 12_500]]);
  const { seq: _, prev: __, hash: ___, ...first } = row(1);
  assert.ok(sent[0]?.message.type === 'plays');
  assert.deepEqual(sent[0].message.plays[0], first);
  assert.deepEqual(sent[0].chain, { prev: 'hash-0', head: 'hash-500', signature: 'signed' });
  delivery.schedule();
  await time.advance(29_999);
  assert.equal(sent.length, 1);
  await time.advance(1);
  assert.deepEqual(batches()[1], [1, 500, 42_500]);
  kit.seal = undefined;
  await delivery.acknowledged(500);
  await time.advance(0);
  assert.deepEqual([batches()[2], sent[2]?.chain], [[501, 200, 42_500], undefined]);
  await delivery.acknowledged(700);
  await time.advance(60_000);
  assert.deepEqual([sent.length, kit.forgotten], [3, [500, 700]]);
  kit.rows = [row(701)];
  delivery.schedule();
  await time.advance(1_000);
  delivery.schedule();
  await time.advance(1_500);
  assert.deepEqual(batches()[3], [701, 1, 105_000]);
  assert.deepEqual([kit.log.lines, 'chain' in sent[2]!.message], [[], false]);
});

test('nothing is sent without a connection, and after a failed send the next play starts a new attempt', async () => {
  const { time, kit, batches, delivery } = start();
  kit.rows = [row(1)];
  delivery.connected();
  delivery.disconnected();
  await delivery.acknowledged(0);
  delivery.schedule();
  await time.advance(60_000);
  assert.deepEqual([batches(), kit.log.lines], [[], []]);
  kit.open = false;
  delivery.connected();
  await time.advance(60_000);
  kit.open = true;
  delivery.schedule();
  await time.advance(2_500);
  assert.equal(batches().length, 1);
  delivery.disconnected();
  delivery.connected();
  await time.advance(1_000);
  delivery.connected();
  await time.advance(2_500);
  assert.equal(batches().length, 2, 'told anew on a new connection');
  // The connection closes while the journal is being read.
  kit.reading = () => delivery.disconnected();
  delivery.connected();
  await time.advance(2_500);
  assert.equal(batches().length, 2);
  await time.advance(60_000);
  assert.equal(batches().length, 2);
});

test('message contains at least one play, and otherwise at most half a frame', async () => {
  const { time, kit, sent, delivery } = start();
  kit.rows = Array.from({ length: 500 }, (_, n) => row(n + 1, 'ä'.repeat(2_000)));
  delivery.connected();
  await time.advance(2_500);
  const bytes = (count: number) =>
    count * (JSON.stringify(sent[0]!.message.type === 'plays' && sent[0]!.message.plays[0]).length + 6_000);
  const { count } = sent[0]!;
  // The names end in numbers of different lengths.
  assert.ok(bytes(count) <= 512 * 1_024 + 500 && bytes(count + 1) > 512 * 1_024);
  kit.rows = [row(1, 'x'.repeat(200_000)), row(2, 'x'.repeat(200_000))];
  delivery.connected();
  await time.advance(2_500);
  assert.equal(sent[1]?.count, 1);
  // Each letter counts four times: once as written, and three times for its maximum number of bytes.
  const { seq: _, prev: __, hash: ___, ...bare } = row(1, '');
  const letters = (512 * 1_024) / 2 - JSON.stringify(bare).length;
  for (const [over, plays] of [
    [0, 2],
    [1, 1],
  ] as const) {
    const padded = row(2, 'x'.repeat(Math.floor(letters / 4)));
    kit.rows = [padded, { ...padded, id: padded.id + 'i'.repeat(2 * (letters % 4) + over) }];
    delivery.connected();
    await time.advance(2_500);
    assert.equal(sent.at(-1)?.count, plays);
  }
});
