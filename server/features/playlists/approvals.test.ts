/** Tests publishing with approval: who requests, who decides, and that nothing reaches screens without approval. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { picture } from '../../../test/api/media.ts';
import { type Answer, type Call, callAs, colleague, must } from '../../../test/people.ts';
import { openRows } from '../../../test/rows.ts';
import { openShops, type Shop } from '../../../test/shop.ts';
import { upload } from '../../../test/uploads.ts';
import { ApprovalsStore } from './approvals.store.ts';

const shops = openShops();

interface Worker {
  readonly id: string;
  readonly token: string;
  readonly call: Call;
  may(rights: object): Promise<Answer>;
}
let nth = 0;
const worker = async ({ site, owner, call }: Shop, rights: object = {}): Promise<Worker> => {
  const { id, token } = await colleague(site, owner, `w${nth++}-${owner.id}@store.test`, 'workspace_editor');
  const may = (more: object) =>
    call('PUT', `/api/workspaces/${owner.workspaceId}/members/${id}`, { role: 'workspace_editor', ...more });
  must(await may(rights));
  return { id, token, call: callAs(site, token), may };
};

/**
 * Opens a workspace in which publishing needs approval, with a member who needs approval, an approver, and a screen.
 */
const guarded = async (t: Parameters<typeof shops.open>[0]) => {
  const shop = await shops.open(t);
  const { call, owner, image, playlist } = shop;
  const player = await shop.screen();
  const approved = await image('approved.gif');
  const list = await playlist([approved]);
  must(await call('POST', `/api/playlists/${list}/assign`, { device_id: player.deviceId }));
  const setApproval = (approval: 0 | 1) => call('PUT', `/api/workspaces/${owner.workspaceId}`, { approval });
  must(await setApproval(1));
  const bea = await worker(shop);
  const cem = await worker(shop, { approves: true });
  const fresh = must(await upload(shop.site, bea.token, picture(`fresh ${owner.id}`), 'fresh.gif'), 201).id as string;
  const edit = async () => must(await bea.call('POST', `/api/playlists/${list}/items`, { content_id: fresh }), 201);
  const ask = (note?: string) => bea.call('POST', `/api/playlists/${list}/publish-request`, { note });
  const decide = (who: Call, id: string, what: string, answer = '') =>
    who('POST', `/api/publish-requests/${id}/${what}`, { answer });
  const shown = async () =>
    must(await call('GET', `/api/playlists/${list}/published`)).map((i: { content_id: string }) => i.content_id);
  return { shop, player, approved, fresh, list, bea, cem, edit, ask, decide, shown, setApproval };
};

const needsApproval = (answer: Answer, what = ''): void =>
  assert.deepEqual(
    [answer.status, answer.body.code],
    [403, 'approval_required'],
    `${what} ${JSON.stringify(answer.body)}`,
  );

test('a member without the right requests, an approver publishes exactly that version, and the version names both', async (t) => {
  const { shop, list, bea, cem, fresh, approved, edit, ask, decide, shown } = await guarded(t);
  await edit();
  needsApproval(await bea.call('POST', `/api/playlists/${list}/publish`));
  assert.deepEqual(await shown(), [approved]);
  const asked = must(await ask(' For the weekend '), 201);
  assert.deepEqual(
    [asked.state, asked.is_stale, asked.note, asked.user_id, asked.playlist_name, asked.decided_at],
    ['waiting', false, 'For the weekend', bea.id, 'Offers', null],
  );
  const waiting = await cem.call('GET', '/api/publish-requests?state=waiting');
  assert.deepEqual(
    [must(waiting).map((r: { id: string }) => r.id), waiting.headers.get('x-total-count')],
    [[asked.id], '1'],
  );
  assert.deepEqual(
    [
      must(await cem.call('GET', '/api/alerts/counts')).approvals,
      must(await bea.call('GET', '/api/alerts/counts')).approvals,
    ],
    [1, 0],
  );
  assert.equal((await ask()).status, 409, 'it waits already');
  needsApproval(await decide(bea.call, asked.id, 'approve'));
  needsApproval(await decide(bea.call, asked.id, 'refuse'));
  const done = must(await decide(cem.call, asked.id, 'approve', 'Nice'));
  assert.deepEqual([done.state, done.decided_by, done.answer], ['approved', cem.id, 'Nice']);
  assert.deepEqual(await shown(), [approved, fresh]);
  assert.equal(must(await bea.call('GET', `/api/playlists/${list}`)).status, 'published');
  const [version, before] = must(await bea.call('GET', `/api/playlists/${list}/versions`));
  assert.deepEqual(
    [version.user_name, version.asked_by_name, before.asked_by_name],
    [done.decided_by_name, asked.user_name, null],
  );
  assert.deepEqual(must(await bea.call('GET', '/api/publish-requests?state=waiting')), []);
  const [seen] = must(await bea.call('GET', `/api/publish-requests?playlist_id=${list}&state=decided`));
  assert.equal(seen.answer, 'Nice');
  const acts = must(await shop.call('GET', '/api/activity?limit=2')).map((a: { action: string }) => a.action);
  assert.deepEqual(acts, ['playlist.approved', 'playlist.approval_asked']);
});

test('a playlist edited after the request cannot be approved and needs a new request', async (t) => {
  const { cem, bea, list, approved, edit, ask, decide, shown } = await guarded(t);
  await edit();
  const first = must(await ask(), 201);
  await edit();
  const [stale] = must(await bea.call('GET', `/api/publish-requests?playlist_id=${list}`));
  assert.equal(stale.is_stale, true);
  assert.equal(must(await cem.call('GET', '/api/alerts/counts')).approvals, 0);
  const refused = await decide(cem.call, first.id, 'approve');
  assert.deepEqual([refused.status, refused.body.code], [409, 'request_stale']);
  assert.deepEqual(await shown(), [approved]);
  const second = must(await ask(), 201);
  const [, old] = must(await bea.call('GET', `/api/publish-requests?playlist_id=${list}`));
  assert.deepEqual([old.id, old.state], [first.id, 'withdrawn']);
  assert.equal((await decide(cem.call, first.id, 'approve')).status, 409);
  must(await decide(cem.call, second.id, 'approve'));
  assert.equal((await shown()).length, 3);
});

test('a request honours If-Match, needs unpublished changes, and is only possible where publishing needs approval', async (t) => {
  const { bea, list, edit, ask, setApproval } = await guarded(t);
  const nothing = await ask();
  assert.deepEqual(
    [nothing.status, nothing.body.error],
    [409, 'This playlist has no changes to publish. Screens already show its current version.'],
  );
  await edit();
  const asks = (ifMatch: string) =>
    bea.call('POST', `/api/playlists/${list}/publish-request`, {}, { 'If-Match': ifMatch });
  assert.equal((await asks('"1"')).status, 412);
  must(await setApproval(0));
  assert.equal((await ask()).status, 409);
  must(await bea.call('POST', `/api/playlists/${list}/publish`));
  must(await setApproval(1));
  await edit();
  const etag = (await bea.call('GET', `/api/playlists/${list}`)).headers.get('etag') ?? '';
  must(await asks(etag), 201);
  assert.equal((await bea.call('POST', '/api/playlists/nowhere/publish-request', {})).status, 404);
  assert.equal(
    (await bea.call('POST', `/api/playlists/${list}/publish-request`, { note: 'x'.repeat(1001) })).status,
    400,
  );
});

test('of two simultaneous decisions only one counts, a refusal has a reason, and only the requester may withdraw', async (t) => {
  const { shop, cem, bea, list, edit, ask, decide, shown } = await guarded(t);
  await edit();
  const { id } = must(await ask(), 201);
  const both = await Promise.all([decide(cem.call, id, 'approve'), decide(shop.call, id, 'refuse', 'No')]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
  const late = both.find(({ status }) => status === 409)!;
  assert.match(late.body.error, /has already answered this request/);
  const [only] = must(await bea.call('GET', `/api/publish-requests?playlist_id=${list}`));
  assert.equal((await shown()).length, only.state === 'approved' ? 2 : 1);

  await edit();
  const next = must(await ask(), 201);
  const no = must(await decide(shop.call, next.id, 'refuse', 'Wrong price'));
  assert.deepEqual([no.state, no.answer], ['refused', 'Wrong price']);
  assert.equal(must(await bea.call('GET', `/api/playlists/${list}`)).status, 'draft');
  const again = must(await ask(), 201);
  assert.equal((await decide(cem.call, again.id, 'withdraw')).status, 403);
  assert.equal(must(await decide(bea.call, again.id, 'withdraw')).state, 'withdrawn');
  assert.equal((await decide(cem.call, again.id, 'approve')).status, 409);
  assert.equal((await decide(cem.call, 'nowhere', 'approve')).status, 404);
});

test('a member who loses the right to approve cannot decide any more, and requests of a member who left remain', async (t) => {
  const { shop, cem, bea, edit, ask, decide, shown } = await guarded(t);
  await edit();
  const { id } = must(await ask(), 201);
  must(await cem.may({ approves: false }));
  needsApproval(await decide(cem.call, id, 'approve'));
  must(await cem.may({ approves: true, duty: 'upload' }));
  assert.deepEqual((await decide(cem.call, id, 'approve')).body.code, 'outside_rights');
  must(await shop.call('DELETE', `/api/workspaces/${shop.owner.workspaceId}/members/${bea.id}`));
  must(await decide(shop.call, id, 'approve'));
  assert.equal((await shown()).length, 2);
});

test('publishing by an approver ends the waiting request, and deleting a playlist deletes its requests', async (t) => {
  const { shop, cem, bea, list, edit, ask } = await guarded(t);
  await edit();
  must(await ask(), 201);
  must(await cem.call('POST', `/api/playlists/${list}/publish`));
  const [done] = must(await bea.call('GET', `/api/publish-requests?playlist_id=${list}`));
  assert.deepEqual([done.state, done.decided_by], ['approved', cem.id]);
  await edit();
  must(await ask(), 201);
  must(await bea.call('DELETE', `/api/playlists/${list}`));
  assert.deepEqual(must(await bea.call('GET', '/api/publish-requests')), []);
  const [binned] = must(await shop.call('GET', `/api/bin?ref=${list}`));
  must(await shop.call('POST', `/api/bin/${binned.id}/restore`));
  // The request is stale, because the restored playlist has another revision than at the request.
  const [back] = must(await bea.call('GET', '/api/publish-requests?state=waiting'));
  assert.equal(back.is_stale, true);
});

test('members who need approval can show an approved playlist anywhere, but cannot show other changes on screens', async (t) => {
  const { shop, player, list, bea, fresh, approved } = await guarded(t);
  const { make, call } = shop;
  const device = player.deviceId;
  const widget = (await make('/api/widgets', { widget_type: 'clock', name: 'Clock' })).id;
  const layout = await make('/api/layouts', {
    name: 'L',
    zones: [{ name: 'Left', content_id: approved }, { name: 'Right' }],
  });
  const [left, right] = layout.zones;
  const group = (await make('/api/groups', { name: 'All' })).id;
  const wall = (await make('/api/walls', { name: 'Wall', content_id: approved })).id;
  const when = { start_time: '2026-03-16T09:00', end_time: '2026-03-16T18:00' };
  const targets = [{ kind: 'device', id: device }];
  const spot = await make('/api/plans', { ...when, targets, content_id: approved });
  const [item] = must(await call('GET', `/api/playlists/${list}/items`));
  const zones = (...changed: object[]) => ({
    zones: [{ id: left.id, content_id: approved }, { id: right.id }, ...changed],
  });
  const refused: [string, string, unknown?][] = [
    ['POST', `/api/assignments/device/${device}`, { content_id: fresh }],
    ['POST', `/api/assignments/device/${device}/reorder`, { order: [item.id] }],
    ['POST', `/api/assignments/device/${device}/copy-to/${device}`, {}],
    ['PUT', `/api/assignments/${item.id}`, { muted: true }],
    ['POST', `/api/groups/${group}/assign-content`, { content_id: fresh }],
    ['PUT', `/api/groups/${group}`, { default_content_id: fresh }],
    ['PUT', `/api/devices/${device}`, { default_content_id: fresh }],
    ['POST', '/api/devices/bulk', { changes: [{ device_ids: [device], set: { default_content_id: fresh } }] }],
    ['POST', '/api/plans', { ...when, targets, content_id: fresh }],
    ['POST', '/api/plans', { ...when, targets, widget_id: widget }],
    ['PUT', `/api/plans/${spot.id}`, { title: 'Now', start_time: '2026-03-16T08:00' }],
    ['PUT', `/api/plans/${spot.id}`, { playlist_id: list }],
    ['POST', '/api/schedules', { ...when, device_id: device, content_id: fresh }],
    ['PUT', `/api/schedules/${must(await call('GET', '/api/schedules'))[0].id}`, { widget_id: widget }],
    ['POST', '/api/walls', { name: 'New', content_id: fresh }],
    ['PUT', `/api/walls/${wall}`, { content_id: fresh }],
    ['PUT', `/api/walls/${wall}/content`, { content_id: fresh }],
    ['POST', '/api/layouts', { name: 'M', zones: [{ content_id: fresh }] }],
    ['PUT', `/api/layouts/${layout.id}`, zones({ widget_id: widget })],
    ['PUT', `/api/layouts/${layout.id}/zones/${right.id}`, { content_id: approved }],
    ['POST', `/api/layouts/${layout.id}/zones`, { content_id: fresh }],
    ['POST', '/api/messages', { text: 'Hello', targets }],
    ['POST', '/api/pip', { device_id: device, type: 'image', uri: 'http://till.store.test/a.png' }],
    ['POST', `/api/devices/${device}/command`, { type: 'launch', payload: { url: 'http://till.store.test/' } }],
    [
      'POST',
      '/api/devices/command',
      { device_ids: [device], command: { type: 'launch', payload: { url: 'http://x.test/' } } },
    ],
    ['POST', `/api/groups/${group}/command`, { type: 'launch', payload: { url: 'http://till.store.test/' } }],
    ['POST', '/api/import'],
  ];
  for (const [method, path, body] of refused) needsApproval(await bea.call(method, path, body), `${method} ${path}`);
  const free: [string, string, unknown?, number?][] = [
    ['PUT', `/api/devices/${device}`, { name: 'Door', default_content_id: null }],
    [
      'POST',
      '/api/devices/bulk',
      { changes: [{ device_ids: [device], set: { playlist_id: list, layout_id: layout.id } }] },
    ],
    ['POST', `/api/groups/${group}/assign-playlist`, { playlist_id: list }],
    ['POST', '/api/plans', { ...when, targets, playlist_id: list }, 201],
    ['PUT', `/api/plans/${spot.id}`, { content_id: null, playlist_id: list }],
    ['PUT', `/api/walls/${wall}`, { name: 'Wall 2', content_id: approved }],
    ['PUT', `/api/layouts/${layout.id}`, zones({ name: 'Third', playlist_id: list })],
    ['POST', '/api/layouts', { name: 'N', zones: [{ playlist_id: list }] }, 201],
    ['POST', `/api/layouts/${layout.id}/duplicate`, {}, 201],
    ['POST', `/api/devices/${device}/command`, { type: 'launch' }],
    ['POST', '/api/widgets', { widget_type: 'clock', name: 'Mine' }, 201],
  ];
  for (const [method, path, body, status] of free) must(await bea.call(method, path, body), status);
  // Muting an item that no screen shows yet changes only the draft, so it is allowed.
  const added = must(await bea.call('POST', `/api/playlists/${list}/items`, { content_id: fresh }), 201);
  must(await bea.call('PUT', `/api/assignments/${added.id}`, { muted: true }));
});

test('a member who needs approval cannot change what an approved playlist or a waiting request shows', async (t) => {
  const { shop, bea, cem, approved, fresh, list, edit, ask, decide } = await guarded(t);
  const { make, call, site } = shop;
  const replace = (who: Worker, id: string) =>
    upload(site, who.token, picture(`${id} new`), 'n.gif', { method: 'PUT', path: `/api/content/${id}/replace` });
  must(await bea.call('PUT', `/api/content/${approved}`, { filename: 'renamed.gif' }));
  needsApproval(await bea.call('PUT', `/api/content/${approved}`, { valid_until: '2027-01-01T00:00' }));
  needsApproval(await replace(bea, approved));
  must(await replace(bea, fresh));
  await edit();
  must(await replace(bea, fresh));
  const asked = must(await ask(), 201);
  // Replacing the file is refused: the approved content would otherwise differ from the content that the approver saw.
  needsApproval(await replace(bea, fresh));
  must(await decide(bea.call, asked.id, 'withdraw'));
  must(await replace(bea, fresh));
  must(await decide(cem.call, must(await ask(), 201).id, 'approve'));
  needsApproval(await replace(bea, fresh));
  must(await replace(cem, fresh));
  // Restoring the earlier version of a file needs the same right as replacing the file.
  const [file] = must(await call('GET', `/api/bin?ref=${fresh}&kind=file`));
  needsApproval(await bea.call('POST', `/api/bin/${file.id}/restore`));

  // The same rule applies to a content that is shown through a widget and a kiosk page.
  const kiosk = (await make('/api/kiosk', { name: 'Touch', config: { logo_url: `/api/content/${approved}/file` } })).id;
  const page = (
    await make('/api/widgets', { widget_type: 'webpage', name: 'Page', config: { url: `/api/kiosk/${kiosk}/render` } })
  ).id;
  const config = { config: { title: 'New' } };
  must(await bea.call('PUT', `/api/kiosk/${kiosk}`, config));
  must(await bea.call('PUT', `/api/widgets/${page}`, { config: { url: `/api/kiosk/${kiosk}/render` } }));
  await make(`/api/playlists/${list}/items`, { widget_id: page });
  must(await call('POST', `/api/playlists/${list}/publish`));
  needsApproval(await bea.call('PUT', `/api/kiosk/${kiosk}`, config));
  needsApproval(await bea.call('PUT', `/api/widgets/${page}`, { config: {} }));
  must(await bea.call('PUT', `/api/kiosk/${kiosk}`, { name: 'Other' }));
  must(await bea.call('PUT', `/api/widgets/${page}`, { name: 'Other' }));
  const [hindrance] = must(await bea.call('GET', `/api/rights?kind=widget&ids=${page}`));
  assert.equal(hindrance.code, 'approval_required');

  // A member who may not put a content on screens cannot restore this content after another member has deleted it.
  must(await call('DELETE', `/api/content/${approved}`));
  const [gone] = must(await call('GET', `/api/bin?ref=${approved}&kind=content`));
  needsApproval(await bea.call('POST', `/api/bin/${gone.id}/restore`));
  must(await cem.call('POST', `/api/bin/${gone.id}/restore`));
  // A member may undo their own deletion.
  must(await bea.call('DELETE', `/api/content/${approved}`));
  const [mine] = must(await bea.call('GET', `/api/bin?ref=${approved}&kind=content`));
  must(await bea.call('POST', `/api/bin/${mine.id}/restore`));
});

test('only administrators set whether publishing needs approval, which applies at once and is logged', async (t) => {
  const { shop, bea, list, edit, setApproval } = await guarded(t);
  const { call, owner } = shop;
  const path = `/api/workspaces/${owner.workspaceId}`;
  assert.equal((await bea.call('PUT', path, { approval: 0 })).status, 403);
  const me = async (who: Call) => must(await who('GET', '/api/auth/me'));
  assert.deepEqual([(await me(bea.call)).needs_approval, (await me(call)).needs_approval], [true, false]);
  assert.equal((await me(call)).rights.approves, true);
  await edit();
  needsApproval(await bea.call('POST', `/api/playlists/${list}/publish`));
  assert.equal(must(await setApproval(0)).approval, 0);
  must(await bea.call('POST', `/api/playlists/${list}/publish`));
  const [, entry] = must(await call('GET', '/api/activity?limit=2'));
  assert.equal(entry.action, 'workspace.approval_ended');
  assert.equal((await call('PUT', path, { approval: 2 })).status, 400);
});

test('approvers who want mails get one mail for all waiting requests, and the next mail only after a pause', async (t) => {
  const { shop, bea, cem, edit, ask } = await guarded(t);
  const { site, owner, call, clock, make, image } = shop;
  const mails: { to: string; subject: string; text: string }[] = [];
  t.mock.getter(site.app.mailer, 'configured', () => true);
  t.mock.method(site.app.mailer, 'send', (mail: (typeof mails)[number]) => void mails.push(mail));
  const look = () => {
    site.app.approvalWatch.runDue();
    return mails.splice(0).map(({ to, subject, text }) => [to, subject, text] as const);
  };
  const another = async (name: string) => {
    const { id } = await make('/api/playlists', { name });
    await make(`/api/playlists/${id}/items`, { content_id: await image(`${name}.gif`) });
    must(await bea.call('POST', `/api/playlists/${id}/publish-request`, {}), 201);
    return id;
  };
  const silent = await worker(shop, { approves: true });
  must(await silent.call('PUT', '/api/auth/me', { email_alerts: 0 }));
  look();
  assert.deepEqual(look(), []);
  await edit();
  must(await ask('For the weekend'), 201);
  const { id: mine } = await make('/api/playlists', { name: 'Cem’s own' });
  must(await cem.call('POST', `/api/playlists/${mine}/publish-request`, {}), 201);
  const { email } = must(await cem.call('GET', '/api/auth/me'));
  const first = look();
  assert.deepEqual(first.map(([to]) => to).sort(), [email, owner.email].sort());
  const [, subject, text] = first.find(([to]) => to === email)!;
  assert.match(subject, /Offers is waiting for your approval$/);
  assert.match(text, /Offers, requested by .+: For the weekend/);
  assert.match(first.find(([to]) => to === owner.email)![1], /2 playlists are waiting for your approval$/);
  const later = await another('Later');
  await another('Last');
  assert.deepEqual(look(), []);
  clock.advance(16 * 60_000);
  must(await call('DELETE', `/api/playlists/${later}`));
  const [next] = look();
  assert.match(next?.[1] ?? '', /Last is waiting for your approval$/);
  assert.deepEqual(look(), []);
});

test('requests are listed oldest first while waiting, newest first when decided, and are not ready after an edit', () => {
  const { db, add } = openRows();
  const store = new ApprovalsStore(db);
  const requests = ['2 first', '1 first', '3 later', '4 stale', '5 theirs'].map((one, at) => ({
    ...{ id: one[0]!, playlist_id: one[0]!, revision: one.endsWith('stale') ? 1 : 2 },
    ...{ workspace_id: one.endsWith('theirs') ? 'there' : 'here', created_at: at < 2 ? 1 : 2 },
  }));
  add('playlists', ...requests.map(({ id, workspace_id }) => ({ id, workspace_id, revision: 2 })));
  add('publish_requests', ...requests);
  const decided = ['6 3', '7 2', '8 3', '9 9'].map((one) => one.split(' '));
  add(
    'publish_requests',
    ...decided.map(([id, at]) => ({ id: id!, playlist_id: '1', state: 'refused', created_at: 0, decided_at: +at! })),
  );
  const page = (
    state?: 'waiting' | 'decided',
    more: { playlist_id?: string; limit?: number; offset?: number } = {},
  ) => {
    const { rows, total } = store.page(
      'here',
      { state, playlist_id: more.playlist_id },
      { limit: more.limit ?? 50, offset: more.offset ?? 0 },
    );
    return [rows.map(({ id }) => id).join(''), total];
  };
  assert.deepEqual(page('waiting'), ['1234', 4]);
  assert.deepEqual(page('decided'), ['9867', 4]);
  assert.deepEqual(page(), ['98674321', 8]);
  assert.deepEqual(page('waiting', { limit: 2, offset: 1 }), ['23', 4]);
  assert.deepEqual(page('waiting', { playlist_id: '1' }), ['1', 1]);
  assert.deepEqual(page('decided', { playlist_id: '2' }), ['', 0]);
  assert.deepEqual(page(undefined, { playlist_id: '1' }), ['98671', 5]);
  assert.deepEqual(
    store
      .page('here', { state: 'waiting', playlist_id: undefined }, { limit: 9, offset: 0 })
      .rows.map((r) => r.is_stale),
    [0, 0, 0, 1],
  );
  assert.equal(store.current('here').length, 3);
  const ready = store.ready('here', ['5', '4', '3', '2', '6']).map(({ id }) => id);
  assert.deepEqual(ready, ['2', '3']);
  assert.deepEqual([store.find('here', '5'), store.find('there', '5')?.id], [undefined, '5']);
  assert.deepEqual([store.waiting('1')?.id, store.waiting('none')], ['1', undefined]);
});

test('mails go to administrators and approving editors who want mails, sorted by address', () => {
  const { db, add } = openRows();
  const store = new ApprovalsStore(db);
  const people = [
    ...['b admin', 'a admin', 'c editor approves', 'd editor', 'e viewer approves', 'f admin quiet', 'g admin there'],
    'h editor approves quiet',
  ];
  for (const one of people) {
    const [id] = one.split(' ') as [string];
    add('users', { id, email: `${id}@store.test`, email_alerts: one.includes('quiet') ? 0 : 1 });
    add('workspace_members', {
      ...{ user_id: id, workspace_id: one.includes('there') ? 'there' : 'here' },
      ...{ role: `workspace_${one.split(' ')[1]}`, approves: one.includes('approves') ? 1 : 0 },
    });
  }
  assert.deepEqual(
    store.approvers('here').map(({ id }) => id),
    ['a', 'b', 'c'],
  );
});
