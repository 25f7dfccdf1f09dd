import assert from 'node:assert/strict';
import { test } from 'node:test';
import i18next from 'i18next';
import { de } from '../../i18n/de.ts';
import { en } from '../../i18n/en.ts';
import { blockInWords, blocksInWords, newBlock, wrongWith } from './blocks.utils.ts';

const i18n = i18next.createInstance();
await i18n.init({
  lng: 'en',
  resources: { en: { translation: en }, de: { translation: de } },
  interpolation: { escapeValue: false },
});
const english = { t: i18n.getFixedT('en'), locale: 'en-GB' };
const german = { t: i18n.getFixedT('de'), locale: 'de-DE' };

test('times of the week are written as a phrase', () => {
  assert.equal(blockInWords(newBlock, english), 'Monday to Friday from 09:00 to 18:00');
  assert.equal(blockInWords(newBlock, german), 'Montag bis Freitag von 09:00 bis 18:00 Uhr');
  assert.equal(
    blockInWords({ ...newBlock, days: [0, 6], start: '00:00', end: '24:00' }, english),
    'Saturday and Sunday, all day',
  );
  assert.equal(
    blockInWords({ ...newBlock, days: [0, 1, 2, 3, 4, 5, 6], start: '22:00', end: '02:00' }, english),
    'every day from 22:00 to 02:00 the next day',
  );
});

test('dates follow the times of the week, and several times are joined by "or"', () => {
  const christmas = { ...newBlock, days: [1, 3], start_date: '2026-12-01', end_date: '2026-12-24' };
  assert.equal(
    blockInWords(christmas, english),
    'Monday and Wednesday from 09:00 to 18:00, from 1 December 2026 to 24 December 2026',
  );
  assert.equal(blocksInWords([], english), null);
  assert.equal(
    blocksInWords(
      [
        { ...newBlock, days: [1] },
        { ...newBlock, days: [2] },
      ],
      english,
    ),
    'Monday from 09:00 to 18:00, or Tuesday from 09:00 to 18:00',
  );
});

test('times that the server would refuse are reported before they are sent', () => {
  assert.equal(wrongWith(newBlock), undefined);
  assert.equal(wrongWith({ ...newBlock, days: [] }), 'noDays');
  assert.equal(wrongWith({ ...newBlock, end: '09:00' }), 'sameTime');
  assert.equal(wrongWith({ ...newBlock, end: '' }), 'noTime');
  assert.equal(wrongWith({ ...newBlock, start_date: '2026-12-24', end_date: '2026-12-01' }), 'datesTurned');
});
