/** Tests requests for saved reports, and the announcements and log entries of their changes. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MAX_SAVED_REPORTS } from '../../../../shared/contract/server/reports.ts';
import { openDatabase } from '../../../db/open.ts';
import { put } from '../../../db/testing/put.ts';
import { Bus } from '../../../kernel/bus.ts';
import type { WorkspaceActor } from '../../../kernel/trust/actor.ts';
import { addWorkspace } from '../testing/plays.ts';
import { SavedReportsService } from './saved-reports.service.ts';
import { SavedReportsStore } from './saved-reports.store.ts';

const NOW = Date.UTC(2026, 9, 31, 23, 30, 0, 900);
const [OUR, THEIR] = ['our', 'their'].map((workspaceId) => ({ workspaceId, userId: 'u' }) as WorkspaceActor) as [
  WorkspaceActor,
  WorkspaceActor,
];
const NEW = { name: 'Cola', language: 'de' as const, recipients: ['a@cola.test'] };

const db = openDatabase(':memory:');
after(() => db.close());
for (const { workspaceId } of [OUR, THEIR]) addWorkspace(db, workspaceId);
put(db, 'users', { id: 'u' });

const open = () => {
  db.raw.exec('DELETE FROM saved_reports');
  const store = new SavedReportsStore(db);
  const bus = new Bus((_, error) => assert.fail(String(error)));
  const said: string[] = [];
  bus.on('changed', ({ workspaceId, topic, ids }) => said.push(`${workspaceId} ${topic} ${ids?.join()}`));
  const activity = {
    add: ({ workspaceId, action, details }: { workspaceId: string; action: string; details: string }) =>
      void said.push(`${workspaceId} ${action} ${details}`),
  };
  const asked: string[] = [];
  const requireKnown = ({ workspaceId }: { workspaceId: string }, filters: object) => {
    asked.push(`${workspaceId} ${JSON.stringify(filters)}`);
    if ('device_id' in filters) throw new Error('unknown');
  };
  const clock = { now: () => NOW };
  const zone = () => 'Europe/Berlin';
  const saved = new SavedReportsService({ db, store, bus, activity, clock, zone, reports: { requireKnown } });
  /** Returns the announcements so far, only of changes that are on disk. */
  const heard = async () => {
    await db.durable();
    return said.splice(0);
  };
  return { saved, store, heard, asked };
};

test('a saved report accepts known filters, is returned as saved, and is not sent for the previous month', async () => {
  const { saved, store, heard, asked } = open();
  const report = saved.create(OUR, { ...NEW, filters: { tag: 'mall' } });
  assert.deepEqual(report, {
    ...NEW,
    filters: { tag: 'mall' },
    id: report.id,
    // In the store's time zone November has already begun.
    sent_month: '2026-10',
    created_at: Math.floor(NOW / 1_000),
  });
  assert.deepEqual([saved.list(OUR), saved.list(THEIR)], [[report], []]);
  assert.deepEqual(await heard(), ['our report.saved Cola', `our reports ${report.id}`]);
  assert.deepEqual(saved.create(THEIR, NEW).filters, {}, 'of everything');
  assert.deepEqual(asked.splice(0), ['our {"tag":"mall"}', 'their {}']);
  await heard();
  assert.throws(() => saved.create(OUR, { ...NEW, filters: { device_id: 'x' } }), /unknown/);
  assert.deepEqual([store.count('our'), await heard()], [1, []]);
});

test('an update of a saved report changes only the sent fields, and cannot reach a report of another workspace', async () => {
  const { saved, heard, asked } = open();
  const before = saved.create(OUR, { ...NEW, filters: { tag: 'mall' } });
  await heard();
  asked.splice(0);
  const change = { name: 'Fizz', language: undefined, recipients: [] };
  const after = saved.update(OUR, before.id, change);
  assert.deepEqual(after, { ...before, name: 'Fizz', recipients: [] });
  assert.deepEqual([saved.list(OUR), asked], [[after], []]);
  assert.deepEqual(await heard(), ['our report.updated Cola', `our reports ${before.id}`]);
  assert.deepEqual(saved.update(OUR, before.id, { filters: { label: 'L' } }).filters, { label: 'L' });
  assert.deepEqual(asked, ['our {"label":"L"}']);
  await heard();
  assert.throws(() => saved.update(OUR, before.id, { filters: { device_id: 'x' } }), /unknown/);
  for (const act of [() => saved.update(THEIR, before.id, change), () => saved.delete(THEIR, before.id)])
    assert.throws(act, { status: 404, message: 'Saved report not found' });
  assert.deepEqual(
    [saved.list(OUR).map(({ name, filters }) => [name, filters]), await heard()],
    [[['Fizz', { label: 'L' }]], []],
  );
  saved.delete(OUR, before.id);
  assert.deepEqual([saved.list(OUR), await heard()], [[], ['our report.deleted Fizz', `our reports ${before.id}`]]);
});

test('a workspace accepts saved reports only up to the limit', () => {
  const { saved } = open();
  for (let n = 0; n < MAX_SAVED_REPORTS; n++) saved.create(OUR, NEW);
  assert.throws(() => saved.create(OUR, NEW), { message: 'A workspace can have at most 100 saved reports' });
  assert.equal(saved.list(OUR).length, MAX_SAVED_REPORTS);
  saved.create(THEIR, NEW);
});
