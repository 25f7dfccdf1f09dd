import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROBLEM_CODES } from '../../shared/contract/problems.ts';
import { ALERT_KINDS } from '../../shared/contract/server/alerts.ts';
import { type AlertInMail, alertsLetter } from './alert-letters.ts';
import { momentIn, numberIn } from './format.ts';
import { languageOf, wordsIn } from './words.ts';

const [en, de] = [wordsIn('en'), wordsIn('de')];
const alert = (kind: AlertInMail['kind'], name: string, facts: AlertInMail['facts'] = {}, ref = 'r'): AlertInMail => ({
  kind,
  ref,
  name,
  facts,
  since: Date.UTC(2026, 2, 10, 9) / 1000,
});

test('e-mails show times and numbers in the reader’s language, and times in the given time zone', () => {
  const at = Date.UTC(2026, 6, 10, 22, 30) / 1000;
  assert.equal(momentIn('en', at, 'Europe/Berlin'), '11 Jul 2026, 00:30');
  assert.equal(momentIn('de', at, 'Europe/Berlin'), '11.07.2026, 00:30');
  assert.deepEqual([numberIn('en', 1234.56), numberIn('de', 1234.56)], ['1,234.6', '1.234,6']);
});

test('reader whose language has no texts gets the server’s language', () => {
  const read = (language: string | null) => languageOf({ language }, 'de');
  assert.deepEqual([read('en'), read('de'), read(null), read('fr')], ['en', 'de', 'de', 'de']);
});

test('every e-mail, kind of alert and problem of the server has a German text', () => {
  const facts = { name: 'Anna', server: 'Store', organization: 'Org', link: 'http://a', email: 'a@b', to: 'a@b' };
  const more = { workspace: 'W', inviter: 'Ben', by: 'Ben', month: 'M', from: 'F', lines: '  x', minutes: 5 };
  const letters = [
    'verification',
    'passwordSet',
    'welcome',
    'newUser',
    'invite',
    'test',
    'report',
    'dark',
    'assigned',
  ] as const;
  for (const name of letters)
    for (const count of [1, 2]) {
      const all = { ...facts, ...more, count };
      const [english, german] = [en.texts[name](all), de.texts[name](all)];
      assert.notEqual(german.text, english.text, name);
      if (name !== 'report') assert.notEqual(german.subject, english.subject, name);
      for (const text of [english.text, german.text]) assert.match(text, /\n$/, name);
    }
  for (const kind of ALERT_KINDS)
    for (const count of [1, 2_000]) {
      const [english, german] = [en.texts.kinds[kind].many(count), de.texts.kinds[kind].many(count)];
      assert.notEqual(english, german);
      assert.match(english, count === 1 ? /^1 / : /^2,000 /);
      assert.match(german, count === 1 ? /^1 / : /^2\.000 /);
    }
  for (const code of PROBLEM_CODES) assert.notEqual(en.texts.problems[code], de.texts.problems[code]);
});

test('e-mail about one alert names it in subject and text, and an e-mail about many alerts counts each kind', () => {
  const dark = alert('screen_dark', 'Till', { cause: 'alone', address: '10.0.0.1', neighbours: 4 });
  const one = alertsLetter(en, [dark], 'http://store/#/attention');
  assert.equal(one.subject, 'Till: offline');
  assert.match(
    one.text,
    /^ {2}Till: offline; other screens in its network are online, so check that its computer is on, .*since 10 Mar 2026/,
  );
  assert.match(one.text, /See how to fix it: http:\/\/store\/#\/attention\n$/);
  const disk = alert('screen_disk', 'Tür', { value: 3.4, threshold: 5 });
  assert.match(alertsLetter(de, [disk], 'x').text, /^ {2}Tür: Laufwerk zu 3,4 % frei, seit 10\.03\.2026/);
  const ends = alert('content_ends', 'Offer', { until: '2026-03-14T18:00' });
  assert.match(alertsLetter(de, [ends], 'x').text, /zu sehen bis 14\.03\.2026, 18:00/);

  const many = Array.from({ length: 2_000 }, (_, n) => alert('screen_dark', `Screen ${n}`, { cause: 'network' }));
  assert.equal(alertsLetter(de, many, 'x').subject, '2.000 Bildschirme offline');
  const mixed = alertsLetter(en, [disk, ...many], 'x');
  assert.equal(mixed.subject, '2,001 open alerts');
  const lines = mixed.text.split('\n');
  assert.match(lines[0]!, /Screen 0/);
  assert.deepEqual([lines[10], lines.length < 20], ['  and 1,990 more', true]);
});

test('problem of the server has a translated name and translated sentences', () => {
  const message =
    'The newest backup failed. The backup folder /mnt/a does not exist. Check whether its disk is connected.';
  const { subject, text } = alertsLetter(de, [alert('server', '', { message }, 'backup_failed')], 'x');
  assert.equal(subject, 'Die Sicherung ist fehlgeschlagen');
  assert.match(text, /^ {2}Die Sicherung ist fehlgeschlagen: Die neueste Sicherung ist fehlgeschlagen\. /);
  assert.doesNotMatch(text, /newest|backup folder|connected/);
});
