/**
 * `npm run icons`: writes shared/design/drawings/icons.ts, the drawings of the icons of designs, from the package of
 * lucide. `build/icons.test.ts` compares them. Run it after a change of icon-words.ts or a new version of lucide.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ICON_WORDS } from '../shared/design/drawings/icon-words.ts';

const ROOT = join(import.meta.dirname, '..');
const FILE = join(ROOT, 'shared/design/drawings/icons.ts');
const LINE_WIDTH = 120;
/** The formatter breaks no line after a key of at most this length. */
const SHORT_KEY = 4;

type Attributes = Readonly<Record<string, string>>;

/** Returns a path that can follow another path: a first `m` would be relative to the end of that path. */
const absolute = (d: string): string => {
  const begin = /^m\s*(-?\d*\.?\d+)[\s,]*(-?\d*\.?\d+)\s*/.exec(d);
  if (!begin) return d;
  const rest = d.slice(begin[0].length);
  return `M${begin[1]} ${begin[2]}${/^($|[a-zA-Z])/.test(rest) ? '' : 'l'}${rest}`;
};

const ellipse = (cx: number, cy: number, rx: number, ry: number): string =>
  `M${cx - rx} ${cy}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0z`;

const rectangle = (x: number, y: number, width: number, height: number, r: number): string => {
  if (r === 0) return `M${x} ${y}h${width}v${height}h${-width}z`;
  const corner = (dx: number, dy: number): string => `a${r} ${r} 0 0 1 ${dx} ${dy}`;
  const [w, h] = [width - 2 * r, height - 2 * r];
  return `M${x + r} ${y}h${w}${corner(r, r)}v${h}${corner(-r, r)}h${-w}${corner(-r, -r)}v${-h}${corner(r, -r)}z`;
};

/** Returns a shape as path data. @throws Error for a shape that no icon had so far */
const pathOf = (tag: string, at: Attributes): string => {
  const number = (name: string): number => Number(at[name] ?? 0);
  switch (tag) {
    case 'path':
      return absolute(at['d']!);
    case 'circle':
      return ellipse(number('cx'), number('cy'), number('r'), number('r'));
    case 'ellipse':
      return ellipse(number('cx'), number('cy'), number('rx'), number('ry'));
    case 'rect':
      return rectangle(number('x'), number('y'), number('width'), number('height'), number('rx'));
    case 'line':
      return `M${at['x1']} ${at['y1']}L${at['x2']} ${at['y2']}`;
    case 'polyline':
      return `M${at['points']}`;
    case 'polygon':
      return `M${at['points']}z`;
    default:
      throw new Error(`Icons cannot contain <${tag}> yet: add it to build/icons.ts`);
  }
};

/** Former names of icons are files of one line that refer to the new name. */
const RENAMED = /^export \{ default \} from '\.\/([a-z0-9-]+)\.mjs'/m;

const drawingOf = async (name: string): Promise<string> => {
  const file = join(ROOT, 'node_modules/lucide-react/dist/esm/icons', `${name}.mjs`);
  const renamed = RENAMED.exec(readFileSync(file, 'utf8'))?.[1];
  if (renamed !== undefined) return drawingOf(renamed);
  const { __iconData } = (await import(pathToFileURL(file).href)) as {
    __iconData: { node: readonly (readonly [string, Attributes])[] };
  };
  return __iconData.node.map(([tag, attributes]) => pathOf(tag, attributes)).join('');
};

/** Returns the source text of the table, in the layout of the formatter. */
export const iconsFile = async (): Promise<string> => {
  const lines = await Promise.all(
    Object.keys(ICON_WORDS).map(async (name) => {
      const key = /^[a-z]+$/.test(name) ? name : `'${name}'`;
      const value = `'${await drawingOf(name)}',`;
      const line = `  ${key}: ${value}`;
      return line.length <= LINE_WIDTH || key.length <= SHORT_KEY ? line : `  ${key}:\n    ${value}`;
    }),
  );
  return `/**
 * Drawings of icons: the outline of each icon as path data in a square of 24 × 24. Written by \`npm run icons\`; do not
 * edit. Lucide, ISC licence, © Lucide contributors; partly Feather, MIT licence, © Cole Bemis.
 */
import type { DrawnNode } from '../draw/context.ts';

const PATHS: Readonly<Record<string, string>> = {
${lines.join('\n')}
};

/** Returns the nodes of an icon for \`DrawContext.icon\`; undefined: there is no icon with this name. */
export const iconOf = (name: string): readonly DrawnNode[] | undefined =>
  Object.hasOwn(PATHS, name) ? [['path', { d: PATHS[name]! }]] : undefined;
`;
};

if (process.argv[1] === import.meta.filename) writeFileSync(FILE, await iconsFile());
