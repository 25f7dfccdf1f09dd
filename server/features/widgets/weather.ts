/**
 * The forecast service: Open-Meteo or a compatible one. Builds request addresses and converts answers for pages. Has no
 * side effects.
 */
import { z } from 'zod';
import type { WidgetData } from '../../../shared/contract/content/widgets.ts';

export type Weather = NonNullable<WidgetData['weather']>;
export type Units = Weather['units'];

export interface Place {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
}

const DAYS = 7;

/** @param base for example `https://api.open-meteo.com` */
export const forecastAddress = (base: string, place: Pick<Place, 'latitude' | 'longitude'>, units: Units): string => {
  const url = new URL('v1/forecast', withSlash(base));
  const query = {
    latitude: place.latitude.toFixed(3),
    longitude: place.longitude.toFixed(3),
    current: 'temperature_2m,apparent_temperature,relative_humidity_2m,wind_speed_10m,weather_code,is_day',
    daily: 'weather_code,temperature_2m_max,temperature_2m_min,precipitation_probability_max',
    timezone: 'auto',
    forecast_days: String(DAYS),
    ...(units === 'imperial' && { temperature_unit: 'fahrenheit', wind_speed_unit: 'mph' }),
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
};

/**
 * Only the part before the comma is requested: for `Springfield, Illinois`, the name is searched, and the rest selects
 * the result.
 */
export const placeAddress = (base: string, location: string): string => {
  const url = new URL('v1/search', withSlash(base));
  url.searchParams.set('name', location.split(',')[0]!.trim());
  url.searchParams.set('count', '10');
  url.searchParams.set('format', 'json');
  return url.href;
};

const withSlash = (base: string): string => (base.endsWith('/') ? base : `${base}/`);

const Found = z.object({
  results: z.array(z.looseObject({ name: z.string(), latitude: z.number(), longitude: z.number() })).default([]),
});

/** @throws Error when the place is not found */
export const readPlace = (answer: unknown, location: string): Place => {
  const { results } = Found.parse(answer);
  const rest = location
    .split(',')
    .slice(1)
    .map((part) => part.trim().toLowerCase())
    .filter(Boolean);
  const says = (place: Record<string, unknown>, word: string) =>
    ['country', 'country_code', 'admin1', 'admin2', 'admin3'].some(
      (key) => String(place[key] ?? '').toLowerCase() === word,
    );
  const best = results.find((place) => rest.every((word) => says(place, word))) ?? results[0];
  if (!best) throw new Error(`The weather service does not know the place “${location}”. Check the spelling.`);
  return { name: best.name, latitude: best.latitude, longitude: best.longitude };
};

const values = z.array(z.number().nullable());
const Answer = z.object({
  current: z.object({
    temperature_2m: z.number(),
    apparent_temperature: z.number().nullish(),
    relative_humidity_2m: z.number().nullish(),
    wind_speed_10m: z.number().nullish(),
    weather_code: z.number().int(),
    is_day: z.number().nullish(),
  }),
  daily: z
    .object({
      time: z.array(z.string()),
      weather_code: values,
      temperature_2m_max: values,
      temperature_2m_min: values,
      precipitation_probability_max: values.nullish(),
    })
    .optional(),
});

/** @throws Error when the answer is not a forecast */
export const readForecast = (answer: unknown, place: string, units: Units): Weather => {
  const parsed = Answer.safeParse(answer);
  if (!parsed.success) throw new Error('The weather service did not send a forecast');
  const { current, daily } = parsed.data;
  return {
    place,
    units,
    current: {
      temperature: current.temperature_2m,
      feels_like: current.apparent_temperature ?? null,
      humidity: current.relative_humidity_2m ?? null,
      wind: current.wind_speed_10m ?? null,
      code: current.weather_code,
      is_day: current.is_day !== 0,
    },
    days: (daily?.time ?? []).slice(0, DAYS).flatMap((date, i) => {
      const [min, max] = [daily?.temperature_2m_min[i], daily?.temperature_2m_max[i]];
      if (typeof min !== 'number' || typeof max !== 'number') return [];
      return [
        {
          date,
          min,
          max,
          code: Math.round(daily?.weather_code[i] ?? 3),
          rain: daily?.precipitation_probability_max?.[i] ?? null,
        },
      ];
    }),
  };
};
