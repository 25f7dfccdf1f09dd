import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forecastAddress, placeAddress, readForecast, readPlace } from './weather.ts';

test('a place is found by its name, and the part after the comma selects among equal names', () => {
  assert.match(
    placeAddress('http://w.test', 'Springfield, Illinois'),
    /^http:\/\/w\.test\/v1\/search\?name=Springfield&/,
  );
  const answer = {
    results: [
      { name: 'Springfield', latitude: 1, longitude: 1, admin1: 'Missouri' },
      { name: 'Springfield', latitude: 2, longitude: 2, admin1: 'Illinois' },
    ],
  };
  assert.equal(readPlace(answer, 'Springfield, Illinois').latitude, 2);
  assert.equal(readPlace(answer, 'Springfield').latitude, 1);
  assert.throws(() => readPlace({}, 'Atlantis'), /does not know the place “Atlantis”/);
});

test('temperatures are requested from the service in the configured units, not converted', () => {
  const url = new URL(forecastAddress('http://w.test/base', { latitude: 60.39, longitude: 5.32 }, 'imperial'));
  assert.equal(url.pathname, '/base/v1/forecast');
  assert.equal(url.searchParams.get('temperature_unit'), 'fahrenheit');
  assert.equal(url.searchParams.get('wind_speed_unit'), 'mph');
});

test('days without temperatures are left out of a forecast, and an invalid forecast is refused', () => {
  const current = { temperature_2m: 9.4, weather_code: 2, is_day: 0 };
  const daily = {
    time: ['2026-03-10', '2026-03-11'],
    weather_code: [2, null],
    temperature_2m_max: [11, null],
    temperature_2m_min: [4, 2],
  };
  assert.deepEqual(readForecast({ current, daily }, 'Bergen', 'metric'), {
    place: 'Bergen',
    units: 'metric',
    current: { temperature: 9.4, feels_like: null, humidity: null, wind: null, code: 2, is_day: false },
    days: [{ date: '2026-03-10', code: 2, min: 4, max: 11, rain: null }],
  });
  assert.throws(() => readForecast({ error: true }, 'x', 'metric'), /did not send a forecast/);
});
