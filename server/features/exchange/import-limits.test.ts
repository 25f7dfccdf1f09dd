/** Tests that the limits of an import are checked before the import has an effect, with clear messages. */
import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { picture } from '../../../test/api/media.ts';
import { ownedSite, tempFolder } from '../../../test/harness.ts';
import { must } from '../../../test/people.ts';
import { upload } from '../../../test/uploads.ts';
import { Slices } from '../../kernel/threads/slices.ts';
import type { Step } from './exchange-format.ts';
import { Import, type Makers } from './import-run.ts';
import { readManifest } from './manifest-reader.ts';
import { type RawEntry, rawZip, zipSaying } from './testing/raw-zip.ts';
import { untold } from './testing/untold.ts';

const MIB = 1024 * 1024;
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const ours = (more: object): string => JSON.stringify({ format: 'vitrine-export', version: 1, ...more });
const theirs = (more: object): string => JSON.stringify({ format: 'screentinker-export-v2', ...more });
const contentsOf = (...files: string[]) => files.map((file, i) => ({ id: `${i}`, filename: `${i}.gif`, file }));
const zipWith = (manifest: string, ...entries: RawEntry[]) =>
  rawZip([{ name: 'vitrine-export.json', bytes: manifest, deflate: true }, ...entries]);
/** Makes a valid picture, followed by padding. */
const padded = (bytes: number): Buffer => Buffer.concat([picture('padded'), Buffer.alloc(bytes)]);
const noise = (bytes: number): Buffer => {
  let state = 1;
  return Buffer.from(many(bytes, () => (state = (state * 48_271) % 2_147_483_647) & 0xff));
};

const refused: Record<string, { bytes: () => Buffer | string; status: number; says: RegExp }> = {
  'entries that lie in each other’s place': {
    bytes: () => zipWith(ours({}), { name: 'files/a', bytes: 'a' }, { name: 'files/b', bytes: 'a', at: 1 }),
    status: 415,
    says: /overlap/,
  },
  'two entries of one name': {
    bytes: () => zipWith(ours({}), { name: 'files/a', bytes: 'a' }, { name: 'files/a', bytes: 'b' }),
    status: 415,
    says: /two entries of the same name/,
  },
  'one entry more than there may be': {
    bytes: () => zipSaying(200_001),
    status: 415,
    says: /200001 entries.*at most 200000/,
  },
  'a name of an entry that is a novel': {
    bytes: () => zipWith(ours({}), { name: 'n'.repeat(1025), bytes: '' }),
    status: 415,
    says: /name is longer than 1024 bytes/,
  },
  'a description that unpacks to more than may be read': {
    bytes: () => zipWith(ours({}) + ' '.repeat(64 * MIB)),
    status: 413,
    says: /larger than 64 MiB/,
  },
  'a description that says that it is small': {
    bytes: () =>
      rawZip([
        { name: 'vitrine-export.json', bytes: ours({}) + ' '.repeat(80 * MIB), deflate: true, says: { size: 100 } },
      ]),
    status: 415,
    says: /not an export/,
  },
  'a bare description that is too large': {
    bytes: () => ours({}) + ' '.repeat(64 * MIB),
    status: 413,
    says: /larger than 64 MiB/,
  },
  'what is nested too deep': {
    bytes: () => `{"format":"vitrine-export","version":1,"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    status: 415,
    says: /nested 100001 levels deep.*at most 32/,
  },
  'more values than there may be': {
    bytes: () => `{"format":"vitrine-export","version":1,"a":[${'[],'.repeat(2_000_000)}[]]}`,
    status: 413,
    says: /4000006 values.*at most 4000000/,
  },
  'files that are each small, and together much': {
    bytes: () =>
      zipWith(
        ours({ contents: contentsOf(...many(80, (i) => `files/${i}`)) }),
        ...many(80, (i) => ({ name: `files/${i}`, bytes: padded(MIB - 1000), deflate: true })),
      ),
    status: 413,
    says: /have 79\.\d MiB; .*at most 64\.\d MiB/,
  },
  'more playlists than a workspace holds': {
    bytes: () => ours({ playlists: many(10_001, (i) => ({ id: i, name: 'P' })) }),
    status: 413,
    says: /10001 playlists; an import accepts at most 10000/,
  },
  'more items than an import takes': {
    bytes: () => ours({ playlists: many(101, (i) => ({ id: i, name: 'P', items: many(1990, () => ({})) })) }),
    status: 413,
    says: /200990 items; an import accepts at most 200000/,
  },
  ...Object.fromEntries(
    Object.entries({
      contents: 50_000,
      widgets: 5_000,
      kiosk_pages: 2_000,
      layouts: 1_000,
      groups: 1_000,
      schedules: 10_000,
    }).map(([kind, most]) => [
      `more ${kind} than there may be`,
      {
        bytes: () => ours({ [kind]: many(most + 1, () => 0) }),
        status: 413,
        says: new RegExp(`${most + 1} ${kind.replace('_', ' ')}; an import accepts at most ${most}`),
      },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries({
      content: 50_000,
      layout_zones: 50_000,
      playlist_items: 200_000,
      device_groups: 1_000,
      devices: 50_000,
    }).map(([table, most]) => [
      `more rows of ${table} of screentinker’s than there may be`,
      {
        bytes: () => theirs({ [table]: many(most + 1, () => 0) }),
        status: 413,
        says: new RegExp(`${most + 1} \\w+; an import accepts at most ${most}`),
      },
    ]),
  ),
};

test('an export above a limit is refused with a sentence before the import has an effect', async (t) => {
  const folder = tempFolder(t);
  for (const [what, { bytes, status, says }] of Object.entries(refused)) {
    await t.test(what, async () => {
      const path = join(folder, 'export');
      writeFileSync(path, bytes());
      await assert.rejects(readManifest(path, 4096 * MIB), (error: { status?: number; message: string }) => {
        assert.match(error.message, says);
        assert.equal(error.status, status);
        return true;
      });
    });
  }
});

test('a file that is not an export is refused without reading all of it', async (t) => {
  const path = join(tempFolder(t), 'export');
  writeFileSync(path, 'hello');
  truncateSync(path, 200 * MIB);
  const before = process.resourceUsage().maxRSS;
  await assert.rejects(readManifest(path, 4096 * MIB), /This file is not an export/);
  const grown = (process.resourceUsage().maxRSS - before) / 1024;
  t.diagnostic(`${grown.toFixed(1)} MiB more memory at most`);
  assert.ok(grown < 50);
});

test('a row of a screentinker export is imported with a single record, even if several records have the same id', async (t) => {
  const path = join(tempFolder(t), 'export');
  const rows = {
    playlists: many(10_000, () => ({ id: 'p', name: 'P' })),
    playlist_items: many(2_000, (i) => ({ id: i, playlist_id: 'p' })),
  };
  writeFileSync(path, theirs(rows));
  const { chunks } = await readManifest(path, 4096 * MIB);
  const steps = chunks.flatMap((chunk) => JSON.parse(chunk.toString()) as Step[]);
  assert.deepEqual(
    [steps.filter(({ kind }) => kind === 'item').length, steps.filter(({ kind }) => kind === 'playlist').length],
    [2_000, 10_000],
  );
});

const leftOut: Record<string, { bytes: () => Buffer | string; says: RegExp }> = {
  'a file that becomes a thousand times as large': {
    bytes: () =>
      zipWith(ours({ contents: contentsOf('files/a') }), {
        name: 'files/a',
        bytes: padded(900_000 + MIB),
        deflate: true,
      }),
    says: /^The content 0\.gif was not imported: the unpacked file would be \d{3,4} times as large as the packed file; the limit is 100/,
  },
  'a file that is larger than the server takes': {
    bytes: () => zipWith(ours({ contents: contentsOf('files/a') }), { name: 'files/a', bytes: padded(3 * MIB) }),
    says: /the file has 3 MiB, more than the 2 MiB that this server accepts/,
  },
  'a file that is larger than it says': {
    bytes: () =>
      zipWith(ours({ contents: contentsOf('files/a') }), {
        name: 'files/a',
        bytes: Buffer.concat([picture('a'), noise(50_000)]),
        deflate: true,
        says: { size: 100 },
      }),
    says: /unpacked file is larger than the ZIP states/,
  },
  'a file that is smaller than it says': {
    bytes: () =>
      zipWith(ours({ contents: contentsOf('files/a') }), {
        name: 'files/a',
        bytes: picture('a'),
        deflate: true,
        says: { size: 1000 },
      }),
    says: /the file in the ZIP is damaged/,
  },
  'a file whose sum is another one': {
    bytes: () =>
      zipWith(ours({ contents: contentsOf('files/a') }), { name: 'files/a', bytes: picture('a'), says: { crc32: 1 } }),
    says: /the file in the ZIP is damaged/,
  },
  'a file that reaches into the next': {
    bytes: () =>
      zipWith(
        ours({ contents: contentsOf('files/a') }),
        { name: 'files/a', bytes: picture('a'), extra: 10 },
        { name: 'files/b', bytes: picture('b') },
      ),
    says: /the file overlaps another file/,
  },
  'a file that is encrypted': {
    bytes: () =>
      zipWith(ours({ contents: contentsOf('files/a') }), {
        name: 'files/a',
        bytes: picture('a'),
        deflate: true,
        says: { flags: 1 },
      }),
    says: /packed with an unsupported method/,
  },
  'a playlist of too many items': {
    bytes: () => ours({ playlists: [{ id: 1, name: 'Long', items: many(2_001, () => ({})) }] }),
    says: /^The playlist Long was not imported: the playlist has 2001 items; a playlist can have at most 2000$/,
  },
  'a layout of too many zones': {
    bytes: () => ours({ layouts: [{ id: 1, name: 'Mosaic', zones: many(51, (id) => ({ id })) }] }),
    says: /^The layout Mosaic was not imported: the layout has 51 zones; a layout can have at most 50$/,
  },
  'an item with too many times': {
    bytes: () =>
      ours({ playlists: [{ id: 1, name: 'P', items: [{ content_id: 1, schedules: many(101, () => ({})) }] }] }),
    says: /^An item of the playlist P was not imported: the item has 101 play times/,
  },
  'a widget that is larger than a request': {
    bytes: () => ours({ widgets: [{ id: 1, widget_type: 'text', name: 'Novel', config: { html: 'x'.repeat(MIB) } }] }),
    says: /^The widget Novel was not imported: the entry is larger than 1 MiB$/,
  },
  'a playlist that is larger than a request': {
    bytes: () => ours({ playlists: [{ id: 1, name: 'x'.repeat(2 * MIB), items: [{ content_id: 1 }] }] }),
    says: /^The playlist x{80}… was not imported: the entry is larger than 1 MiB$/,
  },
  ...Object.fromEntries(
    Object.entries({ playlists: 'playlist', layouts: 'layout', groups: 'group', kiosk_pages: 'kiosk page' }).map(
      ([kind, word]) => [
        `a ${word} with a name of a thousand characters`,
        {
          bytes: () => ours({ [kind]: [{ id: 1, name: 'x'.repeat(1000), config: {} }] }),
          says: new RegExp(`^The ${word} x{80}… was not imported: name: must be at most 200 characters$`),
        },
      ],
    ),
  ),
  'a config within a text that is nested deep': {
    bytes: () =>
      theirs({
        widgets: [{ id: 1, widget_type: 'text', name: 'Deep', config: '['.repeat(100_000) + ']'.repeat(100_000) }],
      }),
    says: /^The widget Deep was not imported: config: /,
  },
};

test('a record above a limit is left out of the import, with a sentence', async (t) => {
  const { site, token } = await ownedSite(t, { env: { VITRINE_MAX_UPLOAD_MB: '2' } });
  for (const [what, { bytes, says }] of Object.entries(leftOut)) {
    await t.test(what, async () => {
      const { warnings, ...made } = must(
        await upload(site, token, Buffer.from(bytes()), 'export', { path: '/api/import' }),
      );
      assert.match(warnings.join('\n'), says);
      assert.equal(warnings.length, 1);
      assert.equal(
        Object.values(made).reduce((sum: number, count) => sum + Number(count), 0),
        what === 'an item with too many times' ? 1 : 0,
      );
    });
  }
});

test('an import counts warnings above the limit without returning their texts', async (t) => {
  const { site, token } = await ownedSite(t);
  const { warnings } = must(
    await upload(site, token, Buffer.from(ours({ contents: many(300, (id) => ({ id, filename: 'a' })) })), 'e.json', {
      path: '/api/import',
    }),
  );
  assert.deepEqual([warnings.length, warnings[200]], [201, '… and 100 more']);
});

test('a file that many contents name is unpacked once, and each of these contents has the file', async (t) => {
  const { site, token } = await ownedSite(t);
  const names = many(50, (i) => ({ id: i, filename: `${i}.gif`, file: 'files/a', folder: `f${i}` }));
  const { warnings } = must(
    await upload(site, token, zipWith(ours({ contents: names }), { name: 'files/a', bytes: picture('a') }), 'e.zip', {
      path: '/api/import',
    }),
  );
  assert.deepEqual(warnings, []);
  const contents = must(await site.call('GET', '/api/content?limit=100&sort=oldest', { token })) as {
    filename: string;
    folder: string;
    sha256: string;
  }[];
  assert.equal(new Set(contents.map(({ filename, folder }) => `${filename} ${folder}`)).size, 50);
  assert.equal(new Set(contents.map(({ sha256 }) => sha256)).size, 1);
});

for (const showable of [true, false]) {
  test(`a file that many contents name is unpacked once when it is ${showable ? 'accepted' : 'refused'}`, async (t) => {
    let opened = 0;
    const made = { record: { id: 'made' } };
    const content = {
      openUpload: async () => {
        opened++;
        return { write: () => undefined, abort: async () => {} };
      },
      upload: async () => made,
      again: () => made,
      createRemote: async () => made,
      createVideo: () => made,
    };
    const bytes = zipWith(ours({ contents: contentsOf(...many(500, () => 'files/a')) }), {
      name: 'files/a',
      bytes: picture('a'),
      ...(!showable && { says: { crc32: 1 } }),
    });
    const { warnings, contents } = await runWith(t, bytes, { content } as unknown as Makers);
    assert.equal(opened, 1);
    assert.deepEqual([contents, warnings.length], showable ? [500, 0] : [0, 201]);
  });
}

const runWith = async (t: TestContext, bytes: Buffer, makers: Makers) => {
  const path = join(tempFolder(t), 'export');
  writeFileSync(path, bytes);
  const { chunks } = await readManifest(path, 4096 * MIB);
  const zip = await open(path);
  const { signal } = new AbortController();
  const steps = async function* () {
    for (const chunk of chunks) yield* JSON.parse(chunk.toString()) as Step[];
  };
  try {
    const names = { groups: new Map<string, string>(), devices: new Map<string, string>() };
    return await new Import({
      makers,
      actor: {} as never,
      zip,
      names,
      signal,
      slices: new Slices({ durable: () => undefined, signal }),
      progress: untold,
    }).run(steps());
  } finally {
    await zip.close();
  }
};
