import assert from 'node:assert/strict';
import { test } from 'node:test';
import i18next from 'i18next';
import { parseDate } from '../../../shared/program/civil.ts';
import { de } from '../../i18n/de.ts';
import { en } from '../../i18n/en.ts';
import { inWords } from './words.utils.ts';

const friday = parseDate('2026-11-20');
await i18next.init({
  lng: 'en',
  resources: { en: { translation: en }, de: { translation: de } },
  interpolation: { escapeValue: false },
});

const cases: [recurrence: string | null, end: string | null, english: string, german: string][] = [
  [null, null, 'Once', 'Einmal'],
  ['FREQ=DAILY', null, 'Every day', 'Jeden Tag'],
  ['FREQ=DAILY;INTERVAL=2', null, 'Every 2 days', 'Alle 2 Tage'],
  ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', null, 'Monday to Friday', 'Montag bis Freitag'],
  ['FREQ=WEEKLY;BYDAY=SU,FR', null, 'Every week on Friday and Sunday', 'Jede Woche am Freitag und Sonntag'],
  [
    'FREQ=WEEKLY',
    '2026-12-24',
    'Every week on Friday, until 24 December 2026',
    'Jede Woche am Freitag, bis 24. Dezember 2026',
  ],
  [
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;COUNT=5',
    null,
    'Every 2 weeks on Friday, 5 times',
    'Alle 2 Wochen am Freitag, 5-mal',
  ],
  ['FREQ=MONTHLY', null, 'Every month on the 20th', 'Jeden Monat am 20.'],
  ['FREQ=MONTHLY;BYDAY=-1FR', null, 'Every month on the last Friday', 'Jeden Monat am letzten Freitag'],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', null, 'Every month on the last day', 'Jeden Monat am letzten Tag'],
  ['FREQ=YEARLY', null, 'Every year on 20 November', 'Jedes Jahr am 20. November'],
  [
    'FREQ=MONTHLY;BYMONTH=6,7',
    null,
    'Every month on the 20th, in June and July',
    'Jeden Monat am 20., im Juni und Juli',
  ],
];
for (const [recurrence, recurrence_end, english, german] of cases) {
  test(`${recurrence ?? 'no rule'}${recurrence_end ? ` until ${recurrence_end}` : ''} is “${english}”`, () => {
    const say = (language: 'en' | 'de', locale: string) =>
      inWords({ recurrence, recurrence_end }, friday, { t: i18next.getFixedT(language), locale });
    assert.equal(say('en', 'en-GB'), english);
    assert.equal(say('de', 'de-DE'), german);
  });
}
