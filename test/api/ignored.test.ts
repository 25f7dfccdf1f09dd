/** Every endpoint names ignored members of a body in a response header. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { IgnoredMembers } from '../../server/http/ignored-members.ts';
import { endpointsOf } from '../../shared/contract/endpoint.ts';
import { openShops } from '../shop.ts';

const shops = openShops();
const HEADER = 'vitrine-ignored';

test('unknown members are named, and those of a record that is sent back are not', async (t) => {
  const { call, make, get } = await shops.open(t);
  const { id } = await make('/api/playlists', { name: 'P' });
  const record = await get(`/api/playlists/${id}`);
  const back = await call('PUT', `/api/playlists/${id}`, { ...record, name: 'Q' });
  assert.deepEqual([back.status, back.headers.get(HEADER)], [200, null]);
  const misspelled = await call('PUT', `/api/playlists/${id}`, { name: 'R', descripton: 'x', 'a\r\nb': 1 });
  assert.deepEqual([misspelled.status, misspelled.headers.get(HEADER)], [200, 'descripton, ...']);
  const refused = await call('PUT', `/api/playlists/${id}`, { name: 5, descripton: 'x' });
  assert.deepEqual([refused.status, refused.headers.get(HEADER)], [400, null]);
});

test('header is bounded and leaves out names that are not valid in a header', () => {
  const access = { kind: 'token', scope: 'write' } as const;
  const put = endpointsOf('T')('PUT /api/t', { name: 't', summary: '', access, body: z.object({ name: z.string() }) });
  const any = endpointsOf('T')('PUT /api/u', {
    name: 'u',
    summary: '',
    access,
    body: z.record(z.string(), z.string()),
  });
  const ignored = new IgnoredMembers([put, any]);
  assert.equal(ignored.of(put, { name: 'x', success: true }), undefined);
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`member${n}`, n]));
  assert.ok(ignored.of(put, many)!.length < 400);
  assert.equal(ignored.of(put, { ä: 1, ['x'.repeat(100)]: 1 }), '...');
  assert.equal(ignored.of(any, many), undefined);
});
