import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sentences } from './de.ts';
import { former, formerInEnglish, withFormer } from './former.ts';
import { wordsBy } from './words.ts';

const german = wordsBy(withFormer(sentences));
const english = wordsBy(formerInEnglish());
const today = wordsBy(sentences);
/** Keys of the German table before the English sentences were reworded. */
const before = JSON.parse(
  readFileSync(join(import.meta.dirname, 'testing', 'sentences-2026-11-27.json'), 'utf8'),
) as string[];
const holesIn = (text: string): Set<string> => new Set(text.match(/\{\d\}/g));

test('each sentence of older servers and players is translated, in German and in English', () => {
  const all = withFormer(sentences);
  assert.deepEqual(
    before.filter((sentence) => !Object.hasOwn(all, sentence)),
    [],
  );
  for (const [was, is] of Object.entries(former)) {
    assert.ok(Object.hasOwn(sentences, is), `“${is}” is a sentence of today`);
    assert.ok(!Object.hasOwn(sentences, was), `“${was}” is not a sentence of today`);
    assert.ok(
      [...holesIn(is)].every((hole) => holesIn(was).has(hole)),
      was,
    );
  }
});

test('sentences of older versions do not change the translation of a current sentence', () => {
  for (const sentence of Object.keys(sentences)) {
    assert.equal(german(sentence), today(sentence), sentence);
    assert.equal(english(sentence), sentence);
  }
});

test('message of an older player is shown in German and in current English', () => {
  const message = 'Menü (http://10.0.0.5/menu): the address is no page; its last picture stays';
  assert.equal(
    english(message),
    'Menü (http://10.0.0.5/menu): the address is not a web page; the last image stays on the screen',
  );
  assert.equal(
    german(message),
    'Menü (http://10.0.0.5/menu): die Adresse ist keine Webseite; das letzte Bild bleibt auf dem Bildschirm',
  );
});

test('alert of an older server is shown in German and in current English', () => {
  const message = 'Mails cannot be delivered. Connection refused.';
  assert.equal(english(message), 'E-mails cannot be delivered. Connection refused.');
  assert.match(german(message), /^E-Mails lassen sich nicht zustellen\. /);
});

test('single word stays in English, since it may be a name', () => {
  assert.equal(english('sound'), 'sound');
  assert.equal(english('{0}: sound'), '{0}: sound');
});

test('no file of the player loads the sentences of older versions', () => {
  const cwd = join(import.meta.dirname, '..', '..');
  const loading = globSync('player/**/*.ts', { cwd }).filter((file) =>
    readFileSync(join(cwd, file), 'utf8').includes('sentences/former'),
  );
  assert.deepEqual(loading, []);
});
