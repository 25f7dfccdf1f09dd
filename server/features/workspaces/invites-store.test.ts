import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openDatabase } from '../../db/open.ts';
import { type InviteRow, InvitesStore } from './invites.store.ts';

/** Generates invites from few possible values, so that several invites share a workspace or an address. */
const one = fc.record({
  workspace_id: fc.constantFrom('v', 'w'),
  email: fc.constantFrom('a@x', 'b@x'),
  expires_at: fc.nat(4),
  created_at: fc.nat(4),
});
const ids = (rows: InviteRow[]) => rows.map(({ id }) => id);

test('only unexpired invites of a workspace or address are pending, oldest first, and deletes spare other invites', () => {
  const db = openDatabase(':memory:');
  db.raw.pragma('foreign_keys = OFF');
  const store = new InvitesStore(db);
  const act = fc.constantFrom('one', 'address', 'expired');
  fc.assert(
    fc.property(fc.array(one, { maxLength: 12 }), fc.nat(4), act, (invites, now, deleted) => {
      db.raw.exec('DELETE FROM invites');
      let rows: InviteRow[] = invites.map((invite, i) => ({
        id: `i${i}`,
        role: 'workspace_viewer',
        invited_by: 'u',
        ...invite,
      }));
      for (const row of rows) store.insert(row);
      const agree = () => {
        const pending = rows.filter((row) => row.expires_at > now).sort((a, b) => a.created_at - b.created_at);
        for (const workspace of ['v', 'w']) {
          const there = pending.filter((row) => row.workspace_id === workspace);
          assert.deepEqual(
            [ids(store.listPending(workspace, now)), store.countPending(workspace, now)],
            [ids(there), there.length],
          );
        }
        for (const email of ['a@x', 'b@x'])
          assert.deepEqual(ids(store.listFor(email, now)), ids(pending.filter((row) => row.email === email)));
        for (let i = 0; i < invites.length; i++)
          assert.deepEqual(
            store.find(`i${i}`),
            rows.find((row) => row.id === `i${i}`),
          );
      };
      agree();
      if (deleted === 'one') store.delete('i0');
      if (deleted === 'address') store.deleteFor('v', 'a@x');
      if (deleted === 'expired') store.deleteExpiredBefore(now);
      const goes = {
        one: (row: InviteRow) => row.id === 'i0',
        address: (row: InviteRow) => row.workspace_id === 'v' && row.email === 'a@x',
        expired: (row: InviteRow) => row.expires_at <= now,
      };
      rows = rows.filter((row) => !goes[deleted](row));
      agree();
    }),
    { numRuns: 200 },
  );
  db.close();
});
