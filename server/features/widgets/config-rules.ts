/**
 * Rules for the whole `config` of a widget or kiosk page: a schema parses the config, its size is limited, and only
 * valid colours are accepted as colours.
 */
import type { z } from 'zod';
import { badRequest } from '../../../shared/contract/errors.ts';

export type Config = Record<string, unknown>;

/** Maximum size of a config in bytes. A directory of a thousand entries has about 150 KB. */
const MAX_BYTES = 512 * 1024;
/**
 * Maximum depth of nested values, more than any known config has, because deep JSON could exhaust the stack of a
 * parser.
 */
const MAX_DEPTH = 24;

/**
 * Returns the config with known keys and their defaults.
 * @throws ApiError 400 that names the key: `config.font_size: must be a number`
 */
export const readConfig = <T extends z.ZodType>(schema: T, config: Config): z.output<T> => {
  const parsed = schema.safeParse(config);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw badRequest(`${['config', ...issue.path.map(String)].join('.')}: ${issue.message}`);
};

/** @throws ApiError 400 when the config is too large or too deep */
export const requireBounded = (config: Config): void => {
  let level: unknown[] = [config];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw badRequest(`config: must not be nested more than ${MAX_DEPTH} levels deep`);
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  if (Buffer.byteLength(JSON.stringify(config)) > MAX_BYTES)
    throw badRequest(`config: must be at most ${MAX_BYTES / 1024} KiB`);
};

/** Returns a harmless CSS colour or gradient. Returns undefined for any other text, and the default is used. */
export const cssColor = (value: string): string | undefined => {
  const trimmed = value.trim();
  if (!trimmed || trimmed.length > 300) return undefined;
  const harmless =
    /^(#[0-9a-f]{3,8}|[a-z]{3,30}|(rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\([\d\s.,%/a-z+-]*\)|(repeating-)?(linear|radial|conic)-gradient\([#\w\s.,%/()+-]*\))$/i;
  return harmless.test(trimmed) && !/url|var|expression|image-set|element/i.test(trimmed) ? trimmed : undefined;
};

/** Returns whether text on the colour should be light; undefined when unknown (transparent, unusual notations). */
export const isDark = (color: string): boolean | undefined => {
  const shades = [
    ...color.matchAll(
      /#([0-9a-f]{3,8})\b|rgba?\(([^)]*)\)|\b(black|white|navy|maroon|darkblue|midnightblue|gray|grey)\b/gi,
    ),
  ].flatMap((found) => luminance(found) ?? []);
  if (shades.length === 0) return undefined;
  return shades.reduce((sum, shade) => sum + shade, 0) / shades.length < 0.36;
};

const NAMED: Readonly<Record<string, number>> = {
  black: 0,
  white: 1,
  navy: 0.02,
  maroon: 0.05,
  darkblue: 0.02,
  midnightblue: 0.02,
  gray: 0.22,
  grey: 0.22,
};

const luminance = ([, hex, rgb, name]: RegExpMatchArray): number | undefined => {
  if (name) return NAMED[name.toLowerCase()];
  const parts = hex ? hexParts(hex) : (rgb ?? '').split(/[\s,/]+/).map(Number);
  const [r, g, b, alpha = 1] = parts;
  if (r === undefined || g === undefined || b === undefined || [r, g, b].some(Number.isNaN) || alpha < 0.35)
    return undefined;
  const linear = (c: number) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
};

const hexParts = (hex: string): number[] => {
  const full = hex.length <= 4 ? [...hex].map((c) => c + c).join('') : hex;
  const [r, g, b, a] = [0, 2, 4, 6].map((at) => Number.parseInt(full.slice(at, at + 2), 16));
  return [r!, g!, b!, ...(Number.isNaN(a) ? [] : [a! / 255])];
};
