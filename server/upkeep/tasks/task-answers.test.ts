import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentences } from '../../../shared/sentences/de.ts';
import { TaskFailed, TaskRefused } from './process.ts';
import { asAnswer, refusalOf } from './task-answers.ts';

const having = (words: RegExp) => Object.keys(sentences).filter((sentence) => words.test(sentence));

test('each sentence about too little space gets 507', () => {
  const found = having(/too little/);
  assert.ok(found.length >= 2, found.join());
  for (const sentence of found) {
    assert.equal((asAnswer(new TaskFailed(sentence)) as { status?: number }).status, 507, sentence);
    assert.equal(refusalOf(new TaskRefused(sentence)).status, 507, sentence);
  }
});

test('uploaded backup that the server already has gets 409', () => {
  const [sentence] = having(/^This backup is already/);
  assert.equal(refusalOf(new TaskRefused(sentence!)).status, 409);
});
