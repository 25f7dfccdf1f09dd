/**
 * `npm run docs`: writes the generated pages and sections of `docs/`, and the schema of designs, from their
 * declarations. `test/docs-generated.test.ts` compares them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PLAYER_SETTINGS } from '../player/agent/config.ts';
import { describeSettings, SECTIONS } from '../server/config.ts';
import { NOTICES, type NoticeType, noticeExample } from '../shared/contract/server/notices.ts';
import { Design } from '../shared/design/design.ts';
import { INSTALL_VALUES } from '../shared/desktop/install-values.ts';

const ROOT = join(import.meta.dirname, '..');

/** Returns a Markdown table in the layout of the formatter: each column as wide as its widest cell. */
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]!.length)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
};

interface Row {
  readonly variable: string;
  readonly option: string | null;
  readonly default: string;
  readonly description: string;
}
const settingsTable = (settings: readonly Row[]): string =>
  table(
    ['variable', 'option', 'default', 'meaning'],
    settings.map((setting) => [
      `\`${setting.variable}\``,
      setting.option === null ? '' : `\`${setting.option}\``,
      setting.default,
      setting.description,
    ]),
  );

const configuration = (): string => {
  const settings = describeSettings();
  const sections = SECTIONS.map(
    (section) => `### ${section}\n\n${settingsTable(settings.filter((setting) => setting.section === section))}`,
  );
  return `# Configuration

For administrators: every option of the server and of the player. The settings of a store are in the window; this page lists what the
programs must know before it opens.

An option on the command line wins over its variable. A variable that is set but empty counts as not set. Yes is \`1\`, no is \`0\`.
\`npm start -- --help\` and \`npm run player -- --help\` print the same in short. This page is made by \`npm run docs\`.

## Server

${sections.join('\n\n')}

## Player

${settingsTable(PLAYER_SETTINGS)}

## Installers

${table(
  ['variable', 'value'],
  INSTALL_VALUES.map(({ variable, must }) => [`\`${variable}\``, must]),
)}

The commands of \`vitrine\` find the data folder by \`VITRINE_DATA\` as well; \`export\` and \`import\` read a token from \`VITRINE_TOKEN\`.
`;
};

/** Returns a block of JSON in the layout of the formatter: each field on a separate line. */
const jsonLines = (value: object): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

const noticeSections = (): Readonly<Record<string, string>> => {
  const types = Object.keys(NOTICES) as NoticeType[];
  const example = noticeExample('test');
  const head = Object.fromEntries(['id', 'type', 'at', 'server'].map((name) => [name, example[name as 'id']]));
  return {
    head: jsonLines(head),
    events: [...Map.groupBy(types, (type) => Object.keys(NOTICES[type].example).join())]
      .map(([, same]) => {
        const list = same.map((type) => `- \`${type}\`: ${NOTICES[type].summary}.`).join('\n');
        return `### ${same.join(', ')}\n\n${list}\n\n${jsonLines(NOTICES[same[0]!].example)}`;
      })
      .join('\n\n'),
  };
};

/** Returns a page with its marked sections replaced: `<!-- generated: NAME -->` up to `<!-- end -->`. */
const withSections = (page: string, sections: Readonly<Record<string, string>>): string =>
  readFileSync(join(ROOT, page), 'utf8').replace(
    /<!-- generated: (\w+) -->\n[\s\S]*?<!-- end -->/g,
    (_, name: string) => `<!-- generated: ${name} -->\n\n${sections[name]}\n\n<!-- end -->`,
  );

/** Returns the JSON schema of designs, for programs that make them. Fields with a default value may be absent. */
const designSchema = (): string =>
  `${JSON.stringify({ title: 'A design of Vitrine', ...z.toJSONSchema(Design, { io: 'input', reused: 'ref' }) }, null, 2)}\n`;

const WEBHOOKS = 'docs/integrating/webhooks.md';

/** Returns the text of each generated page by its path. */
export const generatedPages = (): Readonly<Record<string, string>> => ({
  'docs/operating/configuration.md': configuration(),
  'shared/design/design.schema.json': designSchema(),
  [WEBHOOKS]: withSections(WEBHOOKS, noticeSections()),
});

if (import.meta.main)
  for (const [page, text] of Object.entries(generatedPages()))
    if (readFileSync(join(ROOT, page), { encoding: 'utf8', flag: 'a+' }) !== text)
      writeFileSync(join(ROOT, page), text);
