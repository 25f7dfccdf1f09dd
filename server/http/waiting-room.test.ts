import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../../test/harness.ts';
import { openWaitingRoom } from './waiting-room.ts';

test('waiting room’s page says in the visitor’s language why there is no server, and reloads by itself', async (t) => {
  const port = await freePort();
  const room = await openWaitingRoom({
    host: '127.0.0.1',
    port,
    sentence: 'In a moment.',
    inGerman: 'Gleich.',
    answer: (path) => (path === '/api/known' ? { far: 3 } : undefined),
  });
  t.after(() => room.close());
  const ask = async (path: string, headers: Record<string, string>) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  };
  const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  for (const [language, sentence] of [
    ['en-GB,de;q=0.5', 'In a moment.'],
    ['de-AT,en;q=0.5', 'Gleich.'],
  ] as const) {
    const { status, type, text } = await ask('/', { ...page, 'accept-language': language });
    assert.deepEqual([status, type], [503, 'text/html; charset=utf-8']);
    assert.match(text, new RegExp(`<html lang="${language.slice(0, 2)}">.*http-equiv="refresh".*<p>${sentence}</p>`));
  }
  const program = await ask('/api/playlists', {});
  assert.deepEqual([program.status, program.text], [503, '{"error":"In a moment."}']);
  assert.deepEqual((await ask('/api/known', page)).text, '{"far":3}');
});
