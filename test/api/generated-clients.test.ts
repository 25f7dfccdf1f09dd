/**
 * Clients that public generators make from the published document compile under strict rules, and do an integrator's
 * typical work on the real server. The code of this work (clients/*.day.ts) uses only the generated types. Needs no
 * internet.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { type Site, startSite, tempFolder } from '../harness.ts';
import { must } from '../people.ts';
import { connectPlayer, DEVICE, hashOf, playOf } from '../player-client.ts';
import type { Done, Given } from './clients/day.ts';
import { picture } from './media.ts';
import { obedient } from './site.ts';

const root = join(import.meta.dirname, '..', '..');
const clients = join(import.meta.dirname, 'clients');
const packages = join(root, 'node_modules');
const run = promisify(execFile);

/** Runs a Node program. Throws with the program's own error output. */
const node = (folder: string, ...args: string[]) =>
  run(process.execPath, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }).catch(
    ({ message, stdout }: { message: string; stdout: string }) => {
      throw new Error(`${message}\n${stdout}`);
    },
  );

/** Runs the generator of each client library. */
const GENERATORS: Record<string, (folder: string) => Promise<unknown>> = {
  'openapi-fetch': (folder) =>
    node(
      folder,
      '--import',
      join(clients, 'typescript-5.mjs'),
      join(packages, 'openapi-typescript', 'bin', 'cli.js'),
      'openapi.json',
      '--output',
      'schema.d.ts',
    ),
  oazapfts: (folder) => node(folder, join(packages, 'oazapfts', 'dist', 'cli.js'), 'openapi.json', 'client.ts'),
};

/** Compiler options. The types of the client library are checked too. */
const RULES = {
  compilerOptions: {
    ...{
      target: 'es2024',
      lib: ['es2024', 'dom', 'dom.iterable'],
      module: 'nodenext',
      types: [],
      noEmit: true,
      allowImportingTsExtensions: true,
    },
    ...{
      strict: true,
      noUncheckedIndexedAccess: true,
      noImplicitReturns: true,
      noFallthroughCasesInSwitch: true,
      verbatimModuleSyntax: true,
      erasableSyntaxOnly: true,
    },
  },
};

/** Returns a folder with the generated client, compiled. */
const generated = async (t: TestContext, site: Site, name: string): Promise<string> => {
  const folder = tempFolder(t);
  symlinkSync(packages, join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(must(await site.call('GET', '/api/openapi.json'))));
  await GENERATORS[name]!(folder);
  for (const file of ['day.ts', `${name}.day.ts`]) copyFileSync(join(clients, file), join(folder, file));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...RULES, files: [`${name}.day.ts`] }));
  await node(folder, join(packages, 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.json');
  return folder;
};

/** A screen that waits to be claimed, and then plays the program that it receives. */
const waitingScreen = async (t: TestContext, site: Site): Promise<Pick<Given, 'code' | 'play'>> => {
  const client = await connectPlayer(t, site);
  obedient({ client });
  client.say({ type: 'hello', protocol: 1, secret_hash: hashOf(randomBytes(32).toString('hex')), device: DEVICE });
  const { code } = await client.next('pairing');
  return {
    code,
    play: async ({ id, playlist_id, content_id }) => {
      const started_at = Date.now() - 60_000;
      const shown = { item_id: id, playlist_id, content_id, content_name: 'offer.gif' };
      const plays = [0, 1, 2].map((i) =>
        playOf({ ...shown, started_at: started_at + i * 8_000, ended_at: started_at + (i + 1) * 8_000 }),
      );
      client.say({ type: 'plays', first: 1, plays });
      await client.next('plays.ack');
    },
  };
};

for (const name of Object.keys(GENERATORS)) {
  test(`client generated for ${name} compiles and does an integrator's typical work`, async (t) => {
    const site = await startSite(t);
    const folder = await generated(t, site, name);
    const { day } = (await import(join(folder, `${name}.day.ts`))) as { day: (given: Given) => Promise<Done> };
    const bytes = new Uint8Array(picture('offer'));
    const { missing, wrong, ...done } = await day({
      origin: site.origin,
      picture: new File([bytes], 'offer.gif'),
      ...(await waitingScreen(t, site)),
    });
    assert.deepEqual(done, {
      role: 'platform_admin',
      mimeType: 'image/gif',
      duration: 8,
      published: 'published',
      device: 'Window',
      totals: { devices: '1', items: '1', plays: '3' },
      week: ['2026-03-02T09:00:00'],
      tiles: [0, 0],
      stale: 412,
      overlay: 'shown',
      plays: ['offer.gif'],
      csv: 'Device,Content,Started,Ended,Duration (sec),Completed',
      fileBytes: bytes.length,
      deleted: true,
    });
    assert.equal(missing[0], 404);
    assert.match(missing[1], /not found/);
    assert.equal(wrong[0], 400);
    assert.match(wrong[1], /content_id/);
  });
}
