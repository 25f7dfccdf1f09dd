import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parsePlace, sentPlace, writtenPlace } from './place.utils.ts';

const berlin = { latitude: 52.52, longitude: 13.405 };

test('location is parsed in the forms that people paste', () => {
  for (const text of [
    '52.52, 13.405',
    ' 52.52,13.405 ',
    '52.52 13.405',
    '52.52;13.405',
    '52.52 / 13.405',
    '52,52 13,405',
    '52,52, 13,405',
    '52,52; 13,405',
    '52,52,13,405',
    '+52.520, +13.4050',
    '52.52° N, 13.405° E',
    '52,52°N 13,405°O',
    '13.405 E, 52.52 N',
    'N 52.52 E 13.405',
    'N52°31\'12" E13°24\'18"',
    '52°31\'12"N 13°24\'18"E',
    '52° 31′ 12″ N, 13° 24′ 18″ E',
    "52°31'12''N 13°24'18''E",
    '52°31’12”N 13°24’18”O',
    "52°31.2'N 13°24.3'E",
    'geo:52.52,13.405',
    'geo:52.52,13.405;u=35',
    'geo:52.52,13.405,34',
    'GEO:52.52,13.405?z=15',
    'geo:0,0?q=52.52,13.405(Mill)',
  ])
    assert.deepEqual(parsePlace(text), berlin, text);
});

test('degrees in the south and west are negative', () => {
  for (const text of [
    '-33.8568, -70.5',
    '−33.8568 −70.5',
    '33.8568 S 70.5 W',
    '33°51\'24.48"S 70°30\'0"W',
    'geo:-33.8568,-70.5',
  ])
    assert.deepEqual(parsePlace(text), { latitude: -33.8568, longitude: -70.5 }, text);
  assert.deepEqual(parsePlace('0, 0'), { latitude: 0, longitude: 0 });
  assert.deepEqual(parsePlace('90 -180'), { latitude: 90, longitude: -180 });
});

test('empty text means no location, and invalid or ambiguous text is refused', () => {
  for (const text of ['', '  ']) assert.equal(parsePlace(text), null);
  for (const text of [
    '52.52',
    '52,52',
    '52,5,13',
    '90.1, 0',
    '0, 180.5',
    '91°N 13°E',
    '52°61\'0"N 13°0\'0"E',
    '52N 13N',
    '52N 13',
    'N 52 N 13',
    '-52N 13E',
    '1 2 3',
    'Berlin',
    'geo:',
    'geo:1',
    'geo:0,0?q=Berlin',
    'geo:1,2,3,4',
    'https://maps.example.com/52.52,13.405',
    '1e2, 3',
    'NaN, NaN',
  ])
    assert.equal(parsePlace(text), undefined, text);
  fc.assert(fc.property(fc.string(), (text) => void parsePlace(text)));
});

test('field parses the text that it displays itself', () => {
  const degrees = (most: number) => fc.integer({ min: -most * 1e6, max: most * 1e6 }).map((n) => n / 1e6);
  fc.assert(
    fc.property(degrees(90), degrees(180), (latitude, longitude) => {
      const place = { latitude, longitude };
      assert.deepEqual(sentPlace(writtenPlace(place)), place);
    }),
  );
  assert.equal(writtenPlace({ latitude: null, longitude: null }), '');
  assert.deepEqual(sentPlace(''), { latitude: null, longitude: null });
});
