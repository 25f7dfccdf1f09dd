/**
 * `npm run prose`: lists comments and test names that a stranger may have to read twice, by simple patterns.
 *
 * A hit is a hint: a sentence that reads well may stay. `test/prose.test.ts` keeps the number of hits from growing.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { command, root, Sentence } from './install.mjs';

/** Patterns of sentences, each with the advice what to write instead. */
const SENTENCE_RULES = [
  [
    /^(Who|Whoever|Whose|Whom|What|Whatever|That|Those)\b(?![^.]*\?)/,
    'begin with the noun, not with a relative clause',
  ],
  [/^Of [a-z]/, 'write a full sentence instead of "Of …"'],
  [
    /^(One|Another|Others|Nobody|Somebody|So many|As many|As long|As far) (is|are|as|that|who|may|has|of)\b/,
    'name the thing instead of a pronoun',
  ],
  [/\b(nobody|somebody|anybody)['’]s\b/i, 'name the owner'],
  [/\b(of ours|of theirs|of its own|of their own|of one's own|of yours)\b/, 'write "our own", "its own"'],
  [
    /\b(said|told|heard|says|tells|hears|say|tell|hear|knows|know) of\b/,
    'write "reports", "describes", "receives", "has"',
  ],
  [/\b(anew|thereof|whence|thence|sees to it|makes of it|held against)\b/, 'replace the idiom'],
  [
    /\b(who|whoever|what|whatever)\b[^.;:]*\b(who|whoever|what|whatever)\b/i,
    'make two sentences of two relative clauses',
  ],
];
const NAME_RULE = [
  /^(it|its|they|that|this|what|whatever|who|whoever|whose|whom|where|which|one|another|others|nobody|nothing|somebody|so many|as many)\b/i,
  'make the unit or the actor the subject of a test name',
];
const SOURCE = /\.(ts|tsx|mjs|css)$/;

/** Returns the comment or the test name on a line of source, or undefined. */
export const proseOf = (line) => {
  const name = /^\s*(?:test|it|describe)\(\s*(['"`])((?:(?!\1).)+)/.exec(line);
  if (name) return { text: name[2], isName: true };
  const comment = /^\s*(?:\/\*\*|\/\/|\*)\s+(.+?)(?:\s*\*\/)?\s*$/.exec(line);
  if (!comment || comment[1].startsWith('@') || comment[1].includes('biome-ignore')) return undefined;
  return { text: comment[1], isName: false };
};

/** Returns the advice for a line of source; undefined if no pattern matches. */
export const adviceFor = (line) => {
  const prose = proseOf(line);
  const rules = prose?.isName ? [...SENTENCE_RULES, NAME_RULE] : SENTENCE_RULES;
  return prose && rules.find(([pattern]) => pattern.test(prose.text))?.[1];
};

const FOLDERS = ['admin-ui', 'build', 'player', 'server', 'shared', 'test'];

const filesIn = (path) => {
  const whole = join(root, path);
  if (!statSync(whole).isDirectory()) return [path];
  return readdirSync(whole, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)).replaceAll('\\', '/'));
};

/** Returns all hits in source files. @param paths files and folders; empty: all folders with sources */
export const findProse = (paths = []) =>
  (paths.length > 0 ? paths : FOLDERS)
    .flatMap(filesIn)
    .filter((file) => SOURCE.test(file) && !/^build\/prose\.|node_modules\//.test(file))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .map((line, at) => ({ file, line: at + 1, text: line.trim(), advice: adviceFor(line) }))
        .filter(({ advice }) => advice !== undefined),
    );

const HELP = `npm run prose [-- PATH …]   lists comments and test names that a stranger may have to read twice
`;

if (process.argv[1] === import.meta.filename)
  await command(async () => {
    const args = process.argv.slice(2);
    if (args.includes('--help')) return void process.stdout.write(HELP);
    const unknown = args.find((arg) => arg.startsWith('-'));
    if (unknown) throw new Sentence(`There is no option ${unknown}. npm run prose -- --help lists what there is.`);
    const hits = findProse(args);
    for (const { file, line, text, advice } of hits) process.stdout.write(`${file}:${line}: ${text}\n    ${advice}\n`);
    process.stdout.write(`${hits.length} hits\n`);
  });
