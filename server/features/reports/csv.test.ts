import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine, csvNames } from './csv.ts';

const line = (device_name: string, content_name = 'a.jpg', more: object = {}) =>
  csvLine({
    names: csvNames(device_name, content_name),
    started_ms: 1_773_133_200_000,
    ended_ms: 1_773_133_210_500,
    completed: 1,
    ...more,
  });

test('a play is a line with ISO times, seconds, and Yes or No', () => {
  assert.equal(line('Till 1'), 'Till 1,a.jpg,2026-03-10T09:00:00.000Z,2026-03-10T09:00:10.500Z,10.5,Yes\n');
  assert.match(line('Till 1', 'a.jpg', { completed: 0 }), /,No\n$/);
});

test('separators and quotes are quoted', () => {
  assert.ok(line('Till, left', 'a "b".jpg').startsWith('"Till, left","a ""b"".jpg",'));
});

test('cells that a spreadsheet would run are defused', () => {
  for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)', "=cmd|' /C calc'!A0", '＝1+1', '  =1']) {
    const cell = line(formula).split(',2026')[0]!.slice(0, -',a.jpg'.length);
    assert.match(cell, /^"?\s*'/, formula);
  }
  assert.ok(line('\t=1').startsWith(`" '=1"`), 'a tab is a space');
  assert.ok(line('a\r\n=1').startsWith('a  =1,'), 'no line begins within a cell');
  assert.ok(line('a;=1').startsWith(`"a;'=1"`), 'where the semicolon separates, the quotes do not hold it together');
  assert.ok(line('Kasse - links').startsWith('Kasse - links,'));
});
