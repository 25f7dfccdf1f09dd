/**
 * Tests ticket cookies: a cookie is bound to one address, scripts cannot read it, and a cookie that was set over HTTPS
 * is never sent over plain HTTP.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../kernel/time/clock.ts';
import { Tickets } from './tickets.ts';

const cookieFor = (socket: object, headers: object = {}): string => {
  let cookie = '';
  const res = { setHeader: (name: string, value: string) => void (name === 'Set-Cookie' && (cookie = value)) };
  new Tickets(systemClock).setCookie(
    { req: { socket, headers } as unknown as IncomingMessage, res: res as unknown as ServerResponse },
    { path: '/api/server/backups/a.vitrine', workspaceId: 'w' },
  );
  return cookie;
};

test('ticket cookie has the attribute Secure over HTTPS, and not over plain HTTP', () => {
  const rules = '; Path=/api/server/backups/a.vitrine; Max-Age=600; HttpOnly; SameSite=Strict';
  assert.ok(cookieFor({}).endsWith(rules));
  assert.ok(cookieFor({ encrypted: true }).endsWith(`${rules}; Secure`));
  assert.ok(cookieFor({}, { 'x-forwarded-proto': 'https' }).endsWith(`${rules}; Secure`));
  assert.ok(cookieFor({}, { 'x-forwarded-proto': 'http' }).endsWith(rules));
});

test('only tickets.ts sets cookies, no other file of the server', () => {
  const server = join(import.meta.dirname, '..');
  const setting = globSync('**/*.ts', { cwd: server }).filter(
    (file) => !file.endsWith('.test.ts') && /Set-Cookie|[.]cookie[(]/i.test(readFileSync(join(server, file), 'utf8')),
  );
  assert.deepEqual(
    setting.map((file) => file.replaceAll('\\', '/')),
    ['http/tickets.ts'],
  );
});
