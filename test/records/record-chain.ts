/**
 * Records the messages between this version's store and headquarters: `node test/records/record-chain.ts`. Run once
 * for each version with a new migration, so that later versions are tested with both sides
 * (test/chain/versions.test.ts). The recording contains both private keys: they are used only in tests, and their
 * signatures can still be checked.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ClientRequest, IncomingMessage } from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { enrolAs, openHq, openScreen, openStore } from '../chain/rig.ts';
import { must } from '../people.ts';

interface Said {
  readonly verb: string;
  readonly headers: Record<string, unknown>;
  /** Body as it was sent: JSON text, or a segment (batch of plays) in base64. */
  readonly body: string;
  status?: number;
  answer?: string;
}

const exchange: Said[] = [];
const { request } = https;
/** Records each request and its answer while sending it as usual. */
const recording = (...args: Parameters<typeof request>): ClientRequest => {
  const asked = request(...args);
  const verb = /\/chain\/([a-z]+)$/.exec(String(args[0]))?.[1];
  // Leaves out the stream of headquarters' messages, because it stays open.
  if (verb === undefined || verb === 'listen') return asked;
  const end = asked.end.bind(asked);
  asked.end = ((body: Buffer) => {
    const { host: _, ...headers } = asked.getHeaders();
    const said: Said = { verb, headers, body: body.toString(verb === 'segment' ? 'base64' : 'utf8') };
    exchange.push(said);
    asked.once('response', (reply: IncomingMessage) => {
      said.status = reply.statusCode ?? 0;
      said.answer = '';
      reply.on('data', (part: Buffer) => (said.answer += part.toString()));
    });
    return end(body);
  }) as typeof asked.end;
  return asked;
};
https.request = recording as typeof request;
syncBuiltinESMExports();

const ends: (() => unknown)[] = [];
const t = { after: (end: () => unknown) => ends.push(end) } as unknown as TestContext;
const begun = Date.now();
const hq = await openHq(t);
const mill = await openStore(t);
const till = await openScreen(t, mill, 'Till');
const { id } = must(await hq.call('POST', '/api/stores', { name: 'Mill', region: 'North' }), 201);
await till.show(5);
await enrolAs(hq, mill, id);
const told = async () => {
  for (;;) {
    mill.site.app.chain.hurry();
    await setTimeout(200);
    const { link } = await mill.get('/api/chain');
    if (link.line === 'up' && link.waiting === 0) return;
  }
};
await told();
await till.show(4, 'Bread.jpg');
await told();
must(await mill.call('DELETE', '/api/chain'));

/** Records the answer to a verb (request type) that this version does not know. */
const later = https.request(`https://127.0.0.1:${hq.httpsPort}/chain/unheardof`, {
  method: 'POST',
  rejectUnauthorized: false,
});
later.end(Buffer.from('{}'));
await new Promise((done) => later.once('response', (reply: IncomingMessage) => reply.resume().once('end', done)));

const keyOf = (data: string) => JSON.parse(readFileSync(join(data, 'keys', 'server.json'), 'utf8'));
const folder = join(import.meta.dirname, '..', 'chain', 'testing');
mkdirSync(folder, { recursive: true });
const migrations = readdirSync(join(import.meta.dirname, '..', '..', 'server', 'db', 'migrations'));
const version = migrations.filter((file) => file.endsWith('.sql')).length;
writeFileSync(
  join(folder, `exchange-${version}.json`),
  `${JSON.stringify({ at: begun, store: id, headquarters: keyOf(hq.site.data), server: keyOf(mill.site.data), exchange }, null, 2)}\n`,
);
for (const end of ends) await end();
process.exit(0);
