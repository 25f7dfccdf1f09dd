import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { keysInWords, keyTable } from './keys.ts';
import { topics as german } from './topics.de.ts';
import { topics as english } from './topics.en.ts';
import { places, topicsLike } from './topics.ts';

const addresses = readFileSync(join(import.meta.dirname, '../../app/frame/pages.ts'), 'utf8');

test('both languages have the same topics in the same order, with equal numbers of steps and notes', () => {
  const shape = (topics: typeof english) =>
    topics.map(({ id, steps = [], notes = [] }) => `${id} ${steps.length} ${notes.length}`);
  assert.deepEqual(shape(german), shape(english));
  assert.deepEqual(
    english.map(({ id }) => id),
    Object.keys(places),
  );
});

test('handbook lists every keyboard shortcut of keyTable in both languages', () => {
  for (const topics of [english, german]) {
    const texts = topics.find(({ id }) => id === 'keys')?.keys;
    assert.ok(texts);
    const words = Object.values(keyTable).flatMap((keys) =>
      Object.keys(keys).flatMap((key) => keysInWords(key, texts)),
    );
    assert.ok(words.length > 30 && words.flat().every((word) => word !== '' && word !== 'Arrows' && word !== 'Mod'));
  }
});

test('every linked page of a topic exists in the window, and every picture exists in both languages', () => {
  for (const { path, picture } of Object.values(places)) {
    if (path) assert.ok(addresses.includes(`path: '${path}'`), path);
    for (const language of picture ? ['en', 'de'] : [])
      assert.ok(
        existsSync(join(import.meta.dirname, 'pictures', `${picture}.${language}.webp`)),
        `${picture} ${language}`,
      );
  }
});

test('topic is found by its words without accents, and topics whose title matches come first', () => {
  const ids = (typed: string) => topicsLike(german, typed).map(({ id }) => id as string);
  assert.equal(ids('wand')[0], 'walls');
  assert.ok(ids('ubergang').includes('playlists'));
  assert.deepEqual(ids('quantenphysik'), []);
  assert.equal(ids('').length, german.length);
});
