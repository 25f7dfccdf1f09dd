import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CsvLines, csvLine, csvNames } from './csv.ts';

const line = (device_name: string, content_name = 'a.jpg', more: object = {}) =>
  csvLine({
    names: csvNames(device_name, content_name),
    started_ms: 1_773_133_200_000,
    ended_ms: 1_773_133_210_500,
    completed: 1,
    ...more,
  });

test('a play becomes a CSV line with ISO times, seconds, and Yes or No', () => {
  assert.equal(line('Till 1'), 'Till 1,a.jpg,2026-03-10T09:00:00.000Z,2026-03-10T09:00:10.500Z,10.5,Yes\n');
  assert.match(line('Till 1', 'a.jpg', { completed: 0 }), /,No\n$/);
});

test('CSV cells with separators or quotes are quoted', () => {
  assert.ok(line('Till, left', 'a "b".jpg').startsWith('"Till, left","a ""b"".jpg",'));
});

test('CSV cells that a spreadsheet would run as a formula are made harmless', () => {
  for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)', "=cmd|' /C calc'!A0", '＝1+1', '  =1']) {
    const cell = line(formula).split(',2026')[0]!.slice(0, -',a.jpg'.length);
    assert.match(cell, /^"?\s*'/, formula);
  }
  assert.ok(line('\t=1').startsWith(`" '=1"`), 'a tab is a space');
  assert.ok(line('a\r\n=1').startsWith('a  =1,'), 'no line begins within a cell');
  assert.ok(line('a;=1').startsWith(`"a;'=1"`), 'where the semicolon separates, the quotes do not hold it together');
  assert.ok(line('Kasse - links').startsWith('Kasse - links,'));
});

test('times and seconds in the CSV have the format of JavaScript, whatever their values', () => {
  const day = 86_400_000;
  const starts = [0, -1, day - 1, 951_782_399_999, 1_773_133_200_007, 253_402_300_799_999, 253_402_300_800_000, -1e14];
  const lengths = [0, 1, 10, 100, 999, 1000, 9_999, 10_500, 59_990, day, 366 * day + 1, -1500];
  for (const started_ms of starts)
    for (const length of lengths) {
      const ended_ms = started_ms + length;
      const [from, to] = [started_ms, ended_ms].map((ms) => new Date(ms).toISOString());
      const expected = `a,b,${from},${to},${length / 1000},Yes\n`;
      assert.equal(csvLine({ names: 'a,b', started_ms, ended_ms, completed: 1 }), expected);
    }
});

test('CSV lines in a memory block that grows and is reused equal lines that are made singly', () => {
  const plays = Array.from({ length: 3_000 }, (_, n) => ({
    names: csvNames(`Käſe ${'x'.repeat(n % 70)}`, n === 2_000 ? '€'.repeat(50_000) : 'b'),
    started_ms: 1_773_133_200_000 - n * 977_131,
    ended_ms: 1_773_133_200_000 - n * 977_131 + n,
    completed: n % 2,
  }));
  const text = plays.map(csvLine).join('');
  const made = (block?: ArrayBuffer) => {
    const lines = new CsvLines(block);
    for (const play of plays) lines.add(Buffer.from(play.names), play.started_ms, play.ended_ms, play.completed);
    assert.equal(Buffer.from(lines.block, 0, lines.length).toString(), text);
    return lines.block;
  };
  const block = made();
  assert.equal(made(block), block);
});
