/**
 * The cost of adding a record does not grow with the number of records. Measured for every kind of record, from the
 * request to the end of all its effects, with connected players and list requests in between, as in a store.
 */
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, before, type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fromAnywhere, must } from '../people.ts';
import { codeOnScreen } from './examples.ts';
import { type Room, type Store, startStore } from './site.ts';

/** Number of existing records in the first measurement; the second measurement has MANY. */
const FEW = 10;
const MANY = 10_000;
/** Number of timed creations. The median is compared, since the time of a disk sync varies. */
const ROUNDS = 21;
/**
 * Maximum number of attempts. Other programs use the machine too, so a constant cost may be visible only in one of
 * several attempts.
 */
const ATTEMPTS = 3;

interface Kind {
  readonly table: string;
  /** Maximum number of records in one workspace. Further records are added to another workspace. */
  readonly limit: number;
  readonly path: (room: Room) => string;
  readonly body: (room: Room, n: number) => Record<string, unknown> | Promise<Record<string, unknown>>;
  /** Returns the id of the row that is copied. */
  readonly template: (room: Room) => string | number;
  /** Columns that must differ from row to row. */
  readonly distinct?: readonly string[];
  /** SQL that removes the new record, for kinds of which only a few may exist. */
  readonly undo?: string;
}

const KINDS: Readonly<Record<string, Kind>> = {
  playlist: {
    table: 'playlists',
    limit: 10_000,
    path: () => '/api/playlists',
    body: (_, n) => ({ name: `P ${n}` }),
    template: (r) => r.playlist,
  },
  'item of a playlist': {
    table: 'playlists',
    limit: 10_000,
    path: (r) => `/api/playlists/${r.playlist}/items`,
    body: (r) => ({ content_id: r.image }),
    template: (r) => r.playlist,
  },
  folder: {
    table: 'folders',
    limit: 1000,
    path: () => '/api/folders',
    body: (_, n) => ({ name: `F ${n}` }),
    template: (r) => r.folder,
  },
  'content at an address': {
    table: 'content',
    limit: MANY,
    path: () => '/api/content/remote',
    body: (_, n) => ({ url: `http://127.0.0.1.invalid/${n}.html`, name: `C ${n}`, mime_type: 'text/html' }),
    template: (r) => r.image,
  },
  layout: {
    table: 'layouts',
    limit: 1000,
    path: () => '/api/layouts',
    body: (_, n) => ({ name: `L ${n}` }),
    template: (r) => r.layout,
  },
  'zone of a layout': {
    table: 'layouts',
    limit: 1000,
    path: (r) => `/api/layouts/${r.layout}/zones`,
    body: (_, n) => ({ name: `Z ${n}` }),
    template: (r) => r.layout,
    undo: "DELETE FROM zones WHERE name LIKE 'Z %'",
  },
  group: {
    table: '"groups"',
    limit: 1000,
    path: () => '/api/groups',
    body: (_, n) => ({ name: `G ${n}` }),
    template: (r) => r.group,
  },
  'member of a group': {
    table: '"groups"',
    limit: 1000,
    path: (r) => `/api/groups/${r.group}/devices`,
    body: (r) => ({ device_id: r.panel }),
    template: (r) => r.group,
  },
  schedule: {
    table: 'schedules',
    limit: 10_000,
    path: () => '/api/schedules',
    body: (r, n) => ({
      device_id: r.panel,
      playlist_id: r.playlist,
      title: `S ${n}`,
      start_time: '2026-03-02T09:00',
      end_time: '2026-03-02T10:00',
    }),
    template: (r) => r.schedule,
  },
  plan: {
    table: 'plans',
    limit: 10_000,
    path: () => '/api/plans',
    body: (r, n) => ({
      targets: [{ kind: 'device', id: r.panel }],
      playlist_id: r.playlist,
      title: `S ${n}`,
      start_time: '2026-03-02T09:00',
      end_time: '2026-03-02T10:00',
    }),
    template: (r) => r.plan,
  },
  wall: {
    table: 'walls',
    limit: 500,
    path: () => '/api/walls',
    body: (_, n) => ({ name: `W ${n}` }),
    template: (r) => r.wall,
  },
  widget: {
    table: 'widgets',
    limit: 5000,
    path: () => '/api/widgets',
    body: (_, n) => ({ name: `W ${n}`, widget_type: 'clock' }),
    template: (r) => r.widget,
  },
  'kiosk page': {
    table: 'kiosk_pages',
    limit: 2000,
    path: () => '/api/kiosk',
    body: (_, n) => ({ name: `K ${n}` }),
    template: (r) => r.kiosk,
  },
  token: {
    table: 'tokens',
    limit: 1000,
    path: () => '/api/tokens',
    body: (_, n) => ({ name: `T ${n}`, scope: 'read' }),
    template: (r) => r.token,
    distinct: ['hash'],
  },
  invite: {
    table: 'invites',
    limit: 1000,
    path: (r) => `/api/workspaces/${r.workspaceId}/invites`,
    body: (_, n) => ({ email: `guest-${n}@store.test`, role: 'workspace_viewer' }),
    template: (r) => r.invite,
    distinct: ['email'],
  },
  device: {
    table: 'devices',
    limit: MANY,
    path: () => '/api/devices/pair',
    body: async () => ({ code: await codeOnScreen(context, store) }),
    template: (r) => r.device,
    distinct: ['secret_hash'],
  },
  workspace: {
    table: 'workspaces',
    limit: 1000,
    path: () => '/api/workspaces',
    body: (_, n) => ({ name: `Shop ${n}` }),
    template: (r) => r.workspaceId,
  },
};

const ends: (() => unknown)[] = [];
let store: Store;
const context = { after: (end: () => unknown) => ends.push(end) } as unknown as TestContext;
before(async () => {
  store = await startStore(context);
  // The disk does not sync, because the test compares only the work of the processor.
  store.site.app.db.raw.pragma('synchronous = OFF');
});
after(async () => {
  agent.destroy();
  for (const end of ends.reverse()) await end();
});

/** Adds copies of an existing row with new ids. @returns a function that removes the copies */
const multiply = ({ table, template, distinct = [], limit }: Kind, room: Room, count: number): (() => void) => {
  const { db } = store.site.app;
  const columns = (
    db.raw
      .prepare(`SELECT name FROM pragma_table_info('${table.replaceAll('"', '')}')`)
      .pluck()
      .all() as string[]
  ).filter((name) => name !== 'id');
  const value = (name: string) =>
    distinct.includes(name)
      ? `${name} || n.i`
      : name === 'workspace_id'
        ? 'iif(n.i < @here, workspace_id, @elsewhere)'
        : name === 'organization_id'
          ? `iif(n.i < @here, organization_id, 'elsewhere')`
          : name;
  db.write(() => {
    db.raw
      .prepare("INSERT OR IGNORE INTO organizations (id, name, created_at) VALUES ('elsewhere', 'Elsewhere', 0)")
      .run();
    db.raw
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < @count)
         INSERT INTO ${table} (id, ${columns.join(', ')}) SELECT printf('00000000-many-%08d', n.i), ${columns.map(value).join(', ')} FROM ${table} t, n WHERE t.id = @id`,
      )
      .run({ count, here: Math.min(count, limit - 8 * ROUNDS), id: template(room), elsewhere: store.b.workspaceId });
  });
  return () => db.write(() => void db.raw.prepare(`DELETE FROM ${table} WHERE id LIKE '00000000-many-%'`).run());
};

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
/** Uses a raw request, since `fetch` costs more than the measured work. */
const post = (path: string, body: unknown): Promise<{ status: number; body: string }> =>
  new Promise((done, failed) => {
    const headers = {
      Authorization: `Bearer ${store.a.owner.token}`,
      'Content-Type': 'application/json',
      ...fromAnywhere(),
    };
    const req = request(`${store.site.origin}${path}`, { method: 'POST', agent, headers }, (res) => {
      let text = '';
      res.setEncoding('utf8');
      res.on('data', (part: string) => void (text += part));
      res.on('end', () => done({ status: res.statusCode!, body: text }));
    });
    req.on('error', failed);
    req.end(JSON.stringify(body));
  });

let made = 0;
/** Returns the median of the milliseconds from the request until all its effects are done. */
const costOf = async (kind: Kind, room: Room): Promise<number> => {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const sent = await kind.body(room, ++made);
    const begun = performance.now();
    const { status, body } = await post(kind.path(room), sent);
    assert.ok(status === 201 || status === 200, `${status} ${body}`);
    await nextTurn();
    await nextTurn();
    times.push(performance.now() - begun);
    if (kind.undo) store.site.app.db.raw.exec(kind.undo);
  }
  return times.sort((x, y) => x - y)[ROUNDS >> 1]!;
};

const among = async (kind: Kind, count: number): Promise<number> => {
  const undo = multiply(kind, store.a, count);
  try {
    // Loads all rows into the server's caches before the measurement.
    must(await store.a.call('POST', `/api/playlists/${store.a.playlist}/publish`));
    return await costOf(kind, store.a);
  } finally {
    undo();
  }
};

for (const [name, kind] of Object.entries(KINDS)) {
  test(`adding a ${name} costs the same with ${MANY} existing records as with ${FEW}`, async (t) => {
    // The first run makes Node compile the code. Its time is not used.
    await among(kind, FEW);
    let told = '';
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const [few, many] = [await among(kind, FEW), await among(kind, MANY)];
      told = `${few.toFixed(2)} ms with ${FEW}, ${many.toFixed(2)} ms with ${MANY}`;
      t.diagnostic(`${name}: ${told}`);
      if (many < Math.min(2 * few, 1.5 * few + 0.5)) return;
    }
    assert.fail(told);
  });
}
