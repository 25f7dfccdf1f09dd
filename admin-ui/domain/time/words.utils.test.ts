import assert from 'node:assert/strict';
import { test } from 'node:test';
import i18next from 'i18next';
import { parseDate } from '../../../shared/program/civil.ts';
import { de } from '../../i18n/de.ts';
import { en } from '../../i18n/en.ts';
import { inWords, sentenceOf } from './words.utils.ts';

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
  ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', null, 'Every Monday to Friday', 'Jeden Montag bis Freitag'],
  ['FREQ=WEEKLY;BYDAY=SU,FR', null, 'Every Friday and Sunday', 'Jeden Freitag und Sonntag'],
  ['FREQ=WEEKLY', '2026-12-24', 'Every Friday, until 24 December 2026', 'Jeden Freitag, bis 24. Dezember 2026'],
  [
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;COUNT=5',
    null,
    'Every 2 weeks on Friday, 5 times',
    'Alle 2 Wochen am Freitag, 5-mal',
  ],
  ['FREQ=MONTHLY', null, 'Every month on the 20th', 'Jeden Monat am 20.'],
  ['FREQ=MONTHLY;BYDAY=-1FR', null, 'Every month on the last Friday', 'Jeden Monat am letzten Freitag'],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', null, 'Every month on the last day', 'Jeden Monat am letzten Tag'],
  [
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
    null,
    'Every month on the last working day',
    'Jeden Monat am letzten Arbeitstag',
  ],
  [
    'FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=2',
    null,
    'Every month on the Saturday and Sunday, but only number 2 of these days',
    'Jeden Monat am Samstag und Sonntag, aber nur Nummer 2 dieser Tage',
  ],
  ['FREQ=YEARLY', null, 'Every year on 20 November', 'Jedes Jahr am 20. November'],
  [
    'FREQ=MONTHLY;BYMONTH=6,7',
    null,
    'Every month on the 20th, in June and July',
    'Jeden Monat am 20., im Juni und Juli',
  ],
];
for (const [recurrence, recurrence_end, english, german] of cases) {
  test(`rule ${recurrence ?? '(none)'}${recurrence_end ? ` until ${recurrence_end}` : ''} is “${english}”`, () => {
    const say = (language: 'en' | 'de', locale: string) =>
      inWords({ recurrence, recurrence_end }, friday, { t: i18next.getFixedT(language), locale });
    assert.equal(say('en', 'en-GB'), english);
    assert.equal(say('de', 'de-DE'), german);
  });
}

type Said = [
  start: string,
  end: string,
  recurrence: string | null,
  until: string | null,
  english: string,
  german: string,
];
const said: Said[] = [
  [
    '2026-11-30T09:00',
    '2026-11-30T18:00',
    'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
    '2026-12-11',
    'Every Monday to Friday from 30 November to 11 December, 09:00–18:00, on 12 screens',
    'Jeden Montag bis Freitag vom 30. November bis 11. Dezember, 09:00–18:00, auf 12 Bildschirmen',
  ],
  [
    '2026-11-30T00:00',
    '2026-12-01T00:00',
    'FREQ=DAILY',
    null,
    'Every day from 30 November, all day, on 12 screens',
    'Jeden Tag ab 30. November, den ganzen Tag, auf 12 Bildschirmen',
  ],
  [
    '2026-11-30T09:00',
    '2026-11-30T18:00',
    null,
    null,
    'On Monday 30 November, 09:00–18:00, on 12 screens',
    'Am Montag, 30. November, 09:00–18:00, auf 12 Bildschirmen',
  ],
  [
    '2026-11-30T00:00',
    '2027-01-03T00:00',
    null,
    null,
    'From Monday 30 November to Saturday, 2 January 2027, around the clock, on 12 screens',
    'Von Montag, 30. November bis Samstag, 2. Januar 2027, rund um die Uhr, auf 12 Bildschirmen',
  ],
  [
    '2026-11-27T18:00',
    '2026-11-29T12:00',
    null,
    null,
    'From Friday 27 November at 18:00 to Sunday 29 November at 12:00, around the clock, on 12 screens',
    'Von Freitag, 27. November um 18:00 bis Sonntag, 29. November um 12:00, rund um die Uhr, auf 12 Bildschirmen',
  ],
  [
    '2026-11-27T18:00',
    '2026-11-28T02:00',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;COUNT=3',
    null,
    'Every 2 weeks on Friday from 27 November, 3 times, 18:00–02:00, on 12 screens',
    'Alle 2 Wochen am Freitag ab 27. November, 3-mal, 18:00–02:00, auf 12 Bildschirmen',
  ],
  [
    '2026-11-30T09:00',
    '2026-12-11T18:00',
    'FREQ=WEEKLY;BYDAY=MO',
    null,
    'Every Monday from 30 November, each from 09:00 until 18:00 11 days later, on 12 screens',
    'Jeden Montag ab 30. November, jedes Mal von 09:00 bis 18:00 11 Tage später, auf 12 Bildschirmen',
  ],
];
for (const [start, end, recurrence, recurrence_end, english, german] of said) {
  test(`sentence of a plan is “${english}”`, () => {
    const times = { start_time: `${start}:00`, end_time: `${end}:00`, recurrence, recurrence_end };
    const say = (language: 'en' | 'de', locale: string) => {
      const t = i18next.getFixedT(language);
      return sentenceOf(times, { t, locale, year: 2026, where: t('schedule.said.on', { count: 12 }) });
    };
    assert.equal(say('en', 'en-GB'), english);
    assert.equal(say('de', 'de-DE'), german);
  });
}
