import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayBeFramed } from './frame-rules.ts';

const origins = { ancestor: 'http://127.0.0.1:4711', own: 'https://shop.example' };
const asked = (contentSecurityPolicy: string | null, xFrameOptions: string | null = null) =>
  mayBeFramed({ contentSecurityPolicy, xFrameOptions }, origins);

test('response without headers about framing may be shown in a frame', () => {
  assert.equal(asked(null), true);
  assert.equal(asked("default-src 'self'; script-src 'none'"), true);
});

test('X-Frame-Options forbids a frame with DENY or SAMEORIGIN in upper or lower case, and ignores other words', () => {
  for (const option of ['DENY', 'deny', 'SameOrigin', 'SAMEORIGIN, SAMEORIGIN', 'ALLOWALL, DENY'])
    assert.equal(asked(null, option), false, option);
  for (const option of ['ALLOWALL', 'ALLOW-FROM http://x.test', '']) assert.equal(asked(null, option), true, option);
});

test('frame-ancestors overrides X-Frame-Options, and every policy must allow the frame', () => {
  for (const sources of [
    "'none'",
    "'self'",
    'https://portal.example',
    'https:',
    'http://127.0.0.1',
    'http://127.0.0.1:80',
    '',
  ])
    assert.equal(asked(`frame-ancestors ${sources}`), false, sources);
  for (const sources of ['*', 'http:', 'http://127.0.0.1:*', 'http://127.0.0.1:4711', "'self' http://127.0.0.1:4711"])
    assert.equal(asked(`frame-ancestors ${sources}`), true, sources);
  assert.equal(asked('frame-ancestors *', 'DENY'), true);
  assert.equal(asked("default-src 'self'; Frame-Ancestors 'none'"), false);
  assert.equal(asked("frame-ancestors *, frame-ancestors 'none'"), false);
});
