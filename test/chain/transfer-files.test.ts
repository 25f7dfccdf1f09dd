/**
 * Stores that never have a connection: transfer files on USB sticks carry campaigns to the stores and plays back to
 * headquarters. An invalid transfer file changes nothing.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callAs, colleague, must } from '../people.ts';
import { until } from '../until.ts';
import { campaignOf, openShowing, playlistOf, shows, WAIT_MS } from './campaign-rig.ts';
import { CutLine } from './cut-line.ts';
import { enrol, freeAddress, openHq, openScreen, openStore, type Server } from './rig.ts';

/** Creates a transfer file and downloads it, as a browser would. */
const write = async (
  server: Server,
  path: string,
): Promise<{ number: number; bytes: number | null; stick: Buffer }> => {
  const made = must(await server.call('POST', path), 201);
  const stick = await fetchStick(server, `${path}/${made.number}`);
  return { ...made, stick };
};
const fetchStick = async (server: Server, path: string): Promise<Buffer> => {
  const answer = await fetch(`${server.site.origin}${path}`, {
    headers: { Authorization: `Bearer ${server.owner.token}` },
  });
  assert.equal(answer.status, 200);
  return Buffer.from(await answer.arrayBuffer());
};
const take = (server: Server, path: string, stick: Buffer) => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(stick)]), 'a.vitrine-stick');
  return server.call('POST', path, form);
};
const CHAIN = { write: '/api/chain/sticks', take: '/api/chain/stick' };
const of = (id: string) => ({ write: `/api/stores/${id}/sticks`, take: `/api/stores/${id}/stick` });

const refused = async (server: Server, path: string, stick: Buffer, why: RegExp): Promise<void> => {
  const { status, body } = await take(server, path, stick);
  assert.equal(status, 400);
  assert.match(body.error, why);
};

/** Enrols a store by an enrolment file. No server answers at the address in the file. */
const enrolByFile = async (hq: Server, store: Server, name: string, region = ''): Promise<string> => {
  const { id } = must(await hq.call('POST', '/api/stores', { name, region }), 201);
  const { code, offline } = must(await hq.call('POST', `/api/stores/${id}/code`), 201);
  must(await store.call('POST', '/api/chain/offline', { address: await freeAddress(), code, ...offline }), 201);
  return id;
};

/** Imports a transfer file of the store at headquarters. */
const back = async (hq: Server, store: Server, id: string): Promise<Buffer> => {
  const { stick } = await write(store, CHAIN.write);
  assert.equal(must(await take(hq, of(id).take, stick)).trouble, null);
  return stick;
};
const forth = async (hq: Server, store: Server, id: string) => {
  const written = await write(hq, of(id).write);
  must(await take(store, CHAIN.take, written.stick));
  return written;
};

const start = async (hq: Server, name: string, color: string, more = {}): Promise<string> => {
  const { playlist } = await playlistOf(hq, name, color);
  const { id } = must(
    await hq.call('POST', '/api/campaigns', campaignOf({ name, playlist_id: playlist, ...more })),
    201,
  );
  must(await hq.call('POST', `/api/campaigns/${id}/start`));
  return id;
};

const plays = async (hq: Server): Promise<number> => (await hq.get('/api/stores/plays/totals')).plays;
const kinds = (incidents: readonly { kind: string }[]): string[] => incidents.map(({ kind }) => kind);

test('store without a connection is enrolled, shows a campaign and delivers plays once by transfer files', async (t) => {
  const [hq, mill] = [await openHq(t), await openStore(t)];
  const id = await enrolByFile(hq, mill, 'Mill');
  const screen = await openShowing(t, mill);
  const till = await openScreen(t, mill, 'Door');
  assert.equal((await mill.get('/api/chain')).link.name, 'Mill');
  const early = await hq.call('POST', of(id).write);
  assert.equal(early.status, 409);
  assert.match(early.body.error, /Mill is not enrolled/);

  await till.show(5);
  await back(hq, mill, id);
  assert.equal(await plays(hq), 5);
  const enrolled = await hq.get(`/api/stores/${id}`);
  assert.deepEqual([enrolled.line, enrolled.waiting, enrolled.troubles], ['down', 5, []]);

  const campaign = await start(hq, 'Star', '#aa0000');
  const whole = await forth(hq, mill, id);
  await shows(screen, ['Star.jpg']);
  assert.deepEqual((await mill.get('/api/chain')).link.waiting, 0, 'what headquarters has is known');

  await till.show(4);
  await back(hq, mill, id);
  await till.show(3);
  // The store has no acknowledgement yet, so the transfer file repeats plays. Headquarters counts each play once.
  await back(hq, mill, id);
  assert.equal(await plays(hq), 12);
  await until('headquarters knows that it is shown', WAIT_MS, async () => {
    await back(hq, mill, id);
    const { phases } = await hq.get(`/api/campaigns/${campaign}`);
    return phases.on_screens + phases.showing === 1;
  });

  // A second file does not contain content whose arrival the store has confirmed.
  const little = await forth(hq, mill, id);
  assert.ok(little.stick.length < whole.stick.length - 2_000, `${little.stick.length} of ${whole.stick.length}`);
  assert.equal(little.stick.length, little.bytes);
  await start(hq, 'Tree', '#0000aa', { rank: 'safety' });
  const more = await forth(hq, mill, id);
  assert.ok(more.stick.length > little.stick.length);
  await shows(screen, ['Tree.jpg']);
  must(await hq.call('POST', `/api/campaigns/${campaign}/stop`));
  await forth(hq, mill, id);
  assert.deepEqual(kinds((await mill.get('/api/chain')).link.incidents), []);
  assert.equal((await hq.get(`/api/stores/${id}`)).incidents, 0);
  const log = (server: Server) => server.get('/api/activity').then((all) => all.map(({ action }: any) => action));
  for (const action of ['chain.stick_taken', 'chain.stick_written']) assert.ok((await log(mill)).includes(action));
  for (const action of ['store.stick_taken', 'store.stick_written']) assert.ok((await log(hq)).includes(action));
});

const changedAt = (stick: Buffer, at: number): Buffer => {
  const changed = Buffer.from(stick);
  changed[at]! ^= 1;
  return changed;
};

test('transfer file that is repeated, foreign, truncated or changed is refused and changes nothing', async (t) => {
  const [hq, mill, dock] = [await openHq(t), await openStore(t), await openStore(t)];
  const id = await enrolByFile(hq, mill, 'Mill');
  const other = await enrolByFile(hq, dock, 'Dock');
  const screen = await openShowing(t, mill);
  const till = await openScreen(t, mill, 'Door');
  await till.show(2);
  const first = await back(hq, mill, id);
  await back(hq, dock, other);
  const campaign = await start(hq, 'Star', '#aa0000');
  const { stick } = await forth(hq, mill, id);
  await shows(screen, ['Star.jpg']);
  must(await hq.call('POST', `/api/campaigns/${campaign}/stop`));

  const { stick: next } = await write(hq, of(id).write);
  const { stick: docks } = await write(hq, of(other).write);
  const elsewhere = await openHq(t);
  const quay = await openStore(t);
  const theirs = await enrolByFile(elsewhere, quay, 'Quay');
  await back(elsewhere, quay, theirs);
  const { stick: foreign } = await write(elsewhere, of(theirs).write);
  const before = await mill.get('/api/chain');
  await refused(mill, CHAIN.take, stick, /has the number 1, but the file with the number 1 was already imported/);
  await refused(mill, CHAIN.take, docks, /is for another store/);
  await refused(mill, CHAIN.take, next.subarray(0, -1), /is incomplete: its end is missing/);
  await refused(mill, CHAIN.take, next.subarray(0, next.length - 300), /is incomplete: its end is missing/);
  await refused(mill, CHAIN.take, changedAt(next, next.length - 100), /was changed after it was written/);
  await refused(
    mill,
    CHAIN.take,
    changedAt(next, next.indexOf('"signature"') + 20),
    /was changed after it was written|header/,
  );
  await refused(mill, CHAIN.take, Buffer.concat([next, Buffer.from('x')]), /extra data after its end/);
  await refused(mill, CHAIN.take, foreign, /comes from another headquarters/);
  await refused(mill, CHAIN.take, first, /comes from another headquarters/);
  await refused(mill, CHAIN.take, Buffer.from('GIF89a'), /is not a Vitrine file/);
  const after = await mill.get('/api/chain');
  assert.deepEqual(kinds(after.link.incidents), ['stick_refused']);
  assert.deepEqual({ ...after.link, incidents: [] }, { ...before.link, incidents: [] });
  assert.deepEqual(screen.shown(), ['Star.jpg'], 'the campaign that was stopped is still there');

  // Headquarters refuses the same kinds of transfer files.
  await till.show(3);
  const { stick: second } = await write(mill, CHAIN.write);
  const { stick: fromDock } = await write(dock, CHAIN.write);
  await refused(hq, of(id).take, first, /has the number 1, but the file with the number 1 was already imported/);
  await refused(hq, of(id).take, fromDock, /belongs to another store/);
  await refused(hq, of(id).take, second.subarray(0, -1), /is incomplete: its end is missing/);
  await refused(hq, of(id).take, changedAt(second, second.length - 50), /was changed after it was written/);
  await refused(hq, of(id).take, next, /is for a store/);
  assert.equal(await plays(hq), 2);
  assert.deepEqual(kinds(await hq.get(`/api/stores/${id}/incidents`)), ['stick_refused']);

  // The valid transfer files are still accepted.
  must(await take(hq, of(id).take, second));
  assert.equal(await plays(hq), 5);
  must(await take(mill, CHAIN.take, next));
  await shows(screen, []);
  await until('headquarters hears of the incident', WAIT_MS, async () => {
    await back(hq, mill, id);
    return (await hq.get(`/api/stores/${id}/incidents`)).length === 2;
  });
});

test('transfer file is downloaded once, only with the right to do so, and each transfer file has another number', async (t) => {
  const [hq, mill] = [await openHq(t), await openStore(t)];
  const id = await enrolByFile(hq, mill, 'Mill');
  const made = must(await mill.call('POST', CHAIN.write), 201);
  assert.equal(made.filename, 'Mill-back-1.vitrine-stick');
  const path = `${CHAIN.write}/${made.number}`;
  assert.equal((await mill.site.call('GET', path)).status, 401);
  assert.equal((await mill.call('GET', `${CHAIN.write}/2`)).status, 404);
  const stick = await fetchStick(mill, path);
  assert.equal((await mill.call('GET', path)).status, 404, 'once');
  assert.equal((await mill.call('POST', CHAIN.write)).body.number, 2);
  must(await take(hq, of(id).take, stick));
  assert.deepEqual(await hq.get(of(id).take), { written: 0, taken: 1, can: true, under_way: null });
  const [one, two] = [await hq.call('POST', of(id).write), await hq.call('POST', of(id).write)];
  assert.deepEqual([one.body.number, two.body.number], [1, 2]);
  assert.equal((await hq.call('GET', `${of(id).write}/1`)).status, 404, 'another was asked for since');
});

test('transfer file needs the right to show content in the store, and reveals plays to no other user', async (t) => {
  const [hq, mill] = [await openHq(t), await openStore(t)];
  const id = await enrolByFile(hq, mill, 'Mill', 'North');
  await back(hq, mill, id);
  const cara = await colleague(hq.site, hq.owner, 'cara@hq.test', 'workspace_editor');
  const call = callAs(hq.site, cara.token);
  const give = async (region: string, role: string) =>
    must(
      await hq.call('PUT', `/api/workspaces/${hq.owner.workspaceId}/members/${cara.id}`, {
        role: 'workspace_editor',
        regions: [{ region, role }],
      }),
    );
  const { stick } = await write(mill, CHAIN.write);
  const asCara = () => take({ ...hq, call }, of(id).take, stick);
  for (const [region, role, status] of [
    ['South', 'workspace_editor', 404],
    ['North', 'workspace_viewer', 403],
  ] as const) {
    await give(region, role);
    assert.equal((await call('POST', of(id).write)).status, status);
    assert.equal((await asCara()).status, status);
  }
  assert.deepEqual(await hq.get(of(id).take), { written: 0, taken: 1, can: true, under_way: null });
  await give('North', 'workspace_editor');
  must(await call('POST', of(id).write), 201);
  must(await asCara());
  const anna = await colleague(mill.site, mill.owner, 'anna@mill.test', 'workspace_editor');
  assert.equal((await callAs(mill.site, anna.token)('POST', CHAIN.write)).status, 403);
});

test('new PC is enrolled by a new file, and neither the old PC nor the used code is accepted any more', async (t) => {
  const [hq, mill, second] = [await openHq(t), await openStore(t), await openStore(t)];
  const { id } = must(await hq.call('POST', '/api/stores', { name: 'Mill' }), 201);
  const file = async () => must(await hq.call('POST', `/api/stores/${id}/code`), 201);
  const enrolBy = async (store: Server, { code, offline }: { code: string; offline: object }) =>
    store.call('POST', '/api/chain/offline', { address: await freeAddress(), code, ...offline });
  const first = await file();
  must(await enrolBy(mill, first), 201);
  await back(hq, mill, id);
  must(await enrolBy(second, first), 201);
  const { stick: late } = await write(second, CHAIN.write);
  await refused(hq, of(id).take, late, /contains an enrolment code that is not valid/);
  must(await second.call('DELETE', '/api/chain'));
  const other = await openHq(t);
  const { offline } = must(
    await other.call('POST', `/api/stores/${await enrolByFile(other, await openStore(t), 'Quay')}/code`),
    201,
  );
  const mixed = await enrolBy(second, { code: (await file()).code, offline });
  assert.deepEqual([mixed.status, mixed.body.error], [400, 'code: is a code from another headquarters than the file.']);
  must(await enrolBy(second, await file()), 201);
  const { stick: old } = await write(mill, CHAIN.write);
  await back(hq, second, id);
  await refused(
    hq,
    of(id).take,
    old,
    /a server that does not belong to this store|an enrolment code that is not valid/,
  );
  await forth(hq, second, id);
  const { stick } = await write(hq, of(id).write);
  await refused(mill, CHAIN.take, stick, /is for another server/);
});

test('after a restore, transfer files of the restored side are refused until that side has read a file of the other side', async (t) => {
  const [hq, mill] = [await openHq(t), await openStore(t)];
  const id = await enrolByFile(hq, mill, 'Mill');
  await back(hq, mill, id);
  for (let i = 0; i < 3; i++) await forth(hq, mill, id);
  await back(hq, mill, id);
  const putBack = ({ site: { app } }: Server, table: string) =>
    app.db.write(() => app.db.raw.prepare(`UPDATE ${table} SET stick_out = 0`).run());
  putBack(hq, 'hq_stores');
  must(await hq.call('PUT', `/api/stores/${id}`, { note: 'N' }));
  const { number, stick } = await write(hq, of(id).write);
  assert.equal(number, 1);
  await refused(mill, CHAIN.take, stick, /has the number 1, but the file with the number 3 was already imported/);
  await back(hq, mill, id);
  assert.equal((await forth(hq, mill, id)).number, 4);
  putBack(mill, 'chain_links');
  await refused(hq, of(id).take, (await write(mill, CHAIN.write)).stick, /was already imported/);
  await forth(hq, mill, id);
  assert.equal((await write(mill, CHAIN.write)).number, 4);
});

test('chain continues over a connection that comes later, and an older transfer file has no effect', async (t) => {
  const hq = await openHq(t);
  const mill = await openStore(t);
  const { id } = must(await hq.call('POST', '/api/stores', { name: 'Mill' }), 201);
  const { code, offline } = must(await hq.call('POST', `/api/stores/${id}/code`), 201);
  const address = `https://127.0.0.1:${hq.httpsPort}`;
  must(await mill.call('POST', '/api/chain/offline', { address, code, ...offline }), 201);
  const till = await openScreen(t, mill, 'Door');
  await till.show(3);
  await back(hq, mill, id);
  const screen = await openShowing(t, mill);
  const { stick: old } = await write(hq, of(id).write);
  await start(hq, 'Star', '#aa0000');
  await till.show(2);
  await until('all is told over the line', WAIT_MS, async () => {
    mill.site.app.chain.hurry();
    const { link } = await mill.get('/api/chain');
    return link.line === 'up' && link.waiting === 0;
  });
  await shows(screen, ['Star.jpg']);
  assert.equal(await plays(hq), 5);
  must(await take(mill, CHAIN.take, old));
  assert.deepEqual(screen.shown(), ['Star.jpg']);
  assert.equal((await mill.get('/api/chain')).link.waiting, 0);
  await back(hq, mill, id);
  assert.equal(await plays(hq), 5);
  assert.deepEqual(kinds((await mill.get('/api/chain')).link.incidents), []);
});

test('store enrols over a connection before its first transfer file arrives, and late files have no effect', async (t) => {
  const [hq, mill, second] = [await openHq(t), await openStore(t), await openStore(t)];
  const line = await CutLine.open(hq.httpsPort);
  t.after(() => line.close());
  line.isCut = true;
  const { id } = must(await hq.call('POST', '/api/stores', { name: 'Mill' }), 201);
  const { code, offline } = must(await hq.call('POST', `/api/stores/${id}/code`), 201);
  const address = `https://127.0.0.1:${line.port}`;
  must(await mill.call('POST', '/api/chain/offline', { address, code, ...offline }), 201);
  const till = await openScreen(t, mill, 'Door');
  const screen = await openShowing(t, mill);
  await till.show(3);
  const { stick: early } = await write(mill, CHAIN.write);
  await start(hq, 'Star', '#aa0000');
  assert.equal((await hq.get(`/api/stores/${id}`)).line, 'new');

  line.isCut = false;
  const linked = async (store: Server) => (await store.get('/api/chain')).link;
  await until('all is told over the line', WAIT_MS, async () => {
    mill.site.app.chain.hurry();
    const { line: how, waiting } = await linked(mill);
    return how === 'up' && waiting === 0;
  });
  await shows(screen, ['Star.jpg']);
  // Waits until the warning ends that the store did not have the campaign at its start. It ends some seconds after the
  // store's report.
  await until('headquarters finds nothing wrong', WAIT_MS, async () => {
    const { line: how, troubles } = await hq.get(`/api/stores/${id}`);
    return how === 'up' && troubles.length === 0;
  });
  assert.equal(await plays(hq), 3);

  // The first transfer file of the store and the answer to it are imported late, and then again.
  must(await take(hq, of(id).take, early));
  assert.deepEqual([(await hq.get(`/api/stores/${id}`)).line, await plays(hq)], ['up', 3]);
  await refused(hq, of(id).take, early, /has the number 1, but the file with the number 1 was already imported/);
  const { stick: answer } = await forth(hq, mill, id);
  await refused(mill, CHAIN.take, answer, /has the number 1, but the file with the number 1 was already imported/);
  await back(hq, mill, id);
  assert.deepEqual([(await linked(mill)).trouble, screen.shown()], [null, ['Star.jpg']]);

  // No other server can enrol with the same enrolment file, either by transfer file or over a connection.
  must(await second.call('POST', '/api/chain/offline', { address, code, ...offline }), 201);
  await until('it is refused', WAIT_MS, async () => {
    second.site.app.chain.hurry();
    return /^Headquarters does not know this server/.test((await linked(second)).trouble);
  });
  await refused(
    hq,
    of(id).take,
    (await write(second, CHAIN.write)).stick,
    /contains an enrolment code that is not valid/,
  );
  assert.deepEqual([(await linked(mill)).trouble, (await linked(mill)).line], [null, 'up']);
});

test('store enrolled by file leaves and enrols again by code over a connection, and transfer files still work', async (t) => {
  const [hq, mill] = [await openHq(t), await openStore(t)];
  const id = await enrolByFile(hq, mill, 'Mill');
  const till = await openScreen(t, mill, 'Door');
  await till.show(2);
  await back(hq, mill, id);
  const { stick: before } = await forth(hq, mill, id);
  const { code } = must(await hq.call('POST', `/api/stores/${id}/code`), 201);
  const again = () => mill.call('POST', '/api/chain', { address: `https://127.0.0.1:${hq.httpsPort}`, code });
  assert.match((await again()).body.error, /already belongs to a headquarters\. Leave that headquarters first/);
  must(await mill.call('DELETE', '/api/chain'));
  must(await again(), 201);
  await till.show(1);
  await until('its plays are told', WAIT_MS, async () => {
    mill.site.app.chain.hurry();
    return (await plays(hq)) === 3;
  });
  await refused(mill, CHAIN.take, before, /has the number 1, but the file with the number 1 was already imported/);
  assert.equal((await forth(hq, mill, id)).number, 2);
  assert.equal((await write(mill, CHAIN.write)).number, 2);
});

test('store that was enrolled over a connection uses transfer files when the connection is gone', async (t) => {
  const [hq, mill] = [await openHq(t), await openStore(t)];
  const id = await enrol(hq, mill, { name: 'Mill' });
  const screen = await openShowing(t, mill);
  await until(
    'both know for whom to seal',
    WAIT_MS,
    async () => (await hq.get(of(id).take)).can && (await mill.get(CHAIN.take)).can,
  );
  await start(hq, 'Star', '#aa0000');
  await forth(hq, mill, id);
  await shows(screen, ['Star.jpg']);
  await back(hq, mill, id);
});
