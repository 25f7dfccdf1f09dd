/** Formats the collected notices, as text for people and as data for the window. */
import { createHash } from 'node:crypto';
import type { LicenceList } from '../../shared/protocol/releases/licences.ts';
import type { Kind, Part } from './collect.ts';

export interface OwnLicence {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
}

const keyOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);
const tidy = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/^\uFEFF/, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/^\n+|\s+$/g, '');

export const listOf = ({ version, licence, text }: OwnLicence, parts: readonly Part[]): LicenceList => {
  const texts: Record<string, string> = {};
  const keep = (one: string): string => {
    const key = keyOf(tidy(one));
    texts[key] = tidy(one);
    return key;
  };
  return {
    vitrine: { version, licence, text: tidy(text) },
    parts: parts.map((part) => ({
      name: part.name,
      version: part.version ?? null,
      kind: part.kind,
      licence: part.licence,
      source: part.source ?? null,
      note: part.note ?? null,
      texts: [...new Set(part.texts.map((one) => keep(one.text)))],
    })),
    texts,
  };
};

const HEADINGS: readonly (readonly [Kind, string])[] = [
  ['program', 'Programs beside it'],
  ['library', 'Libraries within packages'],
  ['font', 'Fonts'],
  ['package', 'Packages'],
];
const RULE = '='.repeat(80);
const named = ({ name, version }: { name: string; version: string | null }): string =>
  version === null ? name : `${name} ${version}`;

/**
 * Returns the complete text: all parts with licence and source, then each licence text once, with the parts that it
 * applies to.
 */
export const readable = ({ vitrine, parts, texts }: LicenceList): string => {
  const lines = [
    `Vitrine ${vitrine.version}`,
    '',
    vitrine.text,
    '',
    RULE,
    '',
    'What is inside and comes from others, each under its own licence. The texts follow the list.',
    '',
  ];
  for (const [kind, heading] of HEADINGS) {
    const those = parts.filter((part) => part.kind === kind);
    if (those.length === 0) continue;
    lines.push(heading, '-'.repeat(heading.length), '');
    for (const part of those) {
      lines.push(`${named(part)}  (${part.licence})`);
      if (part.note) lines.push(`    ${part.note}`);
      if (part.source) lines.push(`    ${part.source}`);
    }
    lines.push('');
  }
  for (const [key, text] of Object.entries(texts)) {
    const of = parts.filter((part) => part.texts.includes(key)).map(named);
    lines.push(RULE, ...of, '-'.repeat(80), '', text, '');
  }
  return `${lines.join('\n').trimEnd()}\n`;
};
