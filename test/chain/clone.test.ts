/** A PC and its copy that run at the same time: no play of either PC is lost, and an incident is reported. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tempFolder } from '../harness.ts';
import { allTold, counted, openChain, type Store } from './simulated.ts';

test('plays of a server and of its running copy are each stored once, and the copy is reported as an incident', {
  timeout: 120_000,
}, async (t) => {
  const { hq, stores } = await openChain(t, { stores: 1 });
  const [store] = stores as [Store];
  await store.show(10);
  await allTold([store]);
  const copy = await store.clone(tempFolder(t));
  for (let i = 0; i < 4; i++) {
    await store.show(5);
    await allTold([store]);
    await copy.show(4);
    await allTold([copy]);
  }
  await allTold([store, copy]);
  const incidents = copy.db.raw.prepare('SELECT kind FROM chain_incidents').pluck().all();
  assert.deepEqual(incidents, ['forked']);
  await store.end();
  await copy.end();
  await hq.kill();
  const { ids, sum } = (await counted(hq)).get(store.name)!;
  assert.deepEqual(ids.toSorted(), [...store.panels.shown, ...copy.panels.shown].toSorted());
  assert.equal(sum, ids.length);
});
