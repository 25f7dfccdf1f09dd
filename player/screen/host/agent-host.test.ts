import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortFingerprint } from '../pages/pairing.page.ts';
import { sandboxFor } from '../surfaces/frame-rules.ts';
import { playing, program } from '../testing/programs.ts';
import { textsFor } from '../text.ts';
import { screenStateOrNull } from './agent-host.ts';
import { HostClock } from './host-clock.ts';

test('screenStateOrNull returns null for a text that is not a state of the screen', () => {
  const sound = [playing(program([])), playing(null), { phase: 'searching', servers: [], setup_url: null }];
  for (const state of sound) assert.deepEqual(screenStateOrNull(JSON.stringify(state)), state);
  for (const text of [
    '',
    '{',
    'null',
    '[]',
    '"x"',
    '{"phase":"dancing"}',
    '{"phase":"searching"}',
    '{"phase":"playing","program":{"format":2},"screen_on":true}',
  ]) {
    assert.equal(screenStateOrNull(text), null);
  }
});

test("HostClock detects within three exchanges that the host's clock was set", () => {
  const clock = new HostClock();
  assert.equal(clock.ready, false);
  for (let at = 0; at < 10; at++)
    clock.add({ sent: at * 10, server: 1_000_000 + at * 10 + 0.5, received: at * 10 + 1 });
  assert.ok(Math.abs(clock.at(200) - 1_000_200) < 1);
  const news = [1, 2, 3].map((n) => clock.add({ sent: 300 + n, server: 5_000_001 + n, received: 302 + n }));
  assert.deepEqual(news, ['surprising', 'surprising', 'stepped']);
  assert.ok(Math.abs(clock.at(400) - 5_000_100) < 1);
});

test('web page in a zone keeps its own origin unless this origin is on the same machine', () => {
  const own = '127.0.0.1';
  assert.match(sandboxFor('web', 'http://192.168.1.20/menu', own), /allow-same-origin/);
  for (const address of [
    'http://127.0.0.1:8720/',
    'http://localhost/',
    'http://x.localhost:1/',
    'http://127.9.9.9/',
    'http://2130706433/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://0.0.0.0/',
    'javascript:alert(1)',
    'nonsense',
  ]) {
    assert.doesNotMatch(sandboxFor('web', address, own), /allow-same-origin/, address);
  }
  assert.equal(sandboxFor('widget', 'http://192.168.1.20/', own), 'allow-scripts');
  assert.equal(sandboxFor('kiosk', 'http://192.168.1.20/', own), 'allow-scripts allow-forms');
  assert.doesNotMatch(sandboxFor('launch', 'http://example.com/', own), /popups|modals|top-navigation|downloads/);
});

test('shortFingerprint returns the first sixteen digits of a fingerprint', () => {
  assert.equal(shortFingerprint('9f3ac1d27b40e8865d11aa02'), '9F3A C1D2 7B40 E886');
  assert.equal(shortFingerprint('SHA256:9f:3a:c1:d2:7b:40:e8:86:5d'), '9F3A C1D2 7B40 E886');
  assert.equal(shortFingerprint(''), '');
});

test('texts are in the first language of the machine that is English or German', () => {
  assert.equal(textsFor(['fr-FR', 'de-CH', 'en']).lang, 'de');
  assert.equal(textsFor(['en-GB', 'de']).lang, 'en');
  assert.equal(textsFor([]).lang, 'en');
});
