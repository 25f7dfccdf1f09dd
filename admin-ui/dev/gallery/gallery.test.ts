/** Every component has a story in the gallery, or a reason why it has none. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';

const ADMIN = join(import.meta.dirname, '..', '..');
/** Number of files that use a part of `domain`, from which the part needs a story. */
const SHARED_FROM = 4;

const SERVER = 'fetches its data from the server';
/** Components without a story, each with the reason. */
const WITHOUT_STORY: Readonly<Record<string, string>> = {
  FileDrop: 'draws nothing itself',
  LeaveGuard: 'asks only when the page is left; its question is a ConfirmDialog',
  NumberBox: 'is the inner part of NumberField',
  PageHelp: 'is a context',
  CommandDialog: SERVER,
  ContentPicker: SERVER,
  ContentThumb: SERVER,
  DeleteRecord: SERVER,
  ItemThumb: SERVER,
  ManagedMark: SERVER,
  PlaybackProblems: SERVER,
  ScenePicture: SERVER,
  ScreenTicks: SERVER,
  SubjectPicker: SERVER,
  TagPicker: SERVER,
  TargetPicker: SERVER,
  KeptChanges: 'shows a KeptNotice',
  RecordPage: 'is the frame of a page with its query',
  TilePage: 'is the frame of a page with its query',
};

const read = (file: string): string => readFileSync(join(ADMIN, file), 'utf8');
const sources = globSync('**/*.{ts,tsx}', { cwd: ADMIN, exclude: ['dev/**', '**/*.test.ts'] })
  .map((file) => file.replaceAll('\\', '/'))
  .map((file) => ({ file, text: read(file) }));

/** Exported components. A name in capitals only is a constant. */
const COMPONENT = /^export (?:function|const) ([A-Z]\w*[a-z]\w*)/gm;
const HOOK = /^export const (use[A-Z]\w*)/gm;
const namesIn = (pattern: RegExp, text: string): string[] => [...text.matchAll(pattern)].map((match) => match[1]!);
const isUsedIn = (name: string, text: string): boolean => new RegExp(`<${name}\\b`).test(text);

/** Each component that needs a story, with the section of the gallery for its folder. */
const components = sources.flatMap(({ file, text }) => {
  const names = namesIn(file.startsWith('components/keyboard/') ? HOOK : COMPONENT, text);
  if (/^components\/.+\.tsx$|^components\/keyboard\//.test(file))
    return names.map((name) => ({ name, section: basename(dirname(file)) }));
  if (!/^domain\/.+\.tsx$/.test(file)) return [];
  return names
    .filter((name) => sources.filter((one) => one.file !== file && isUsedIn(name, one.text)).length >= SHARED_FROM)
    .map((name) => ({ name, section: 'domain' }));
});

const stories = new Map(
  globSync('dev/gallery/*.tsx', { cwd: ADMIN }).map((file) => [
    basename(file, '.tsx'),
    new Set(namesIn(/\bcomponent\(\s*'(\w+)'/g, read(file))),
  ]),
);

test('every component has a story in the section of its folder, or a reason for none', () => {
  assert.ok(components.length > 60, `${components.length} components were found`);
  const missing = components
    .filter(({ name, section }) => !stories.get(section)?.has(name) && !(name in WITHOUT_STORY))
    .map(({ name, section }) => `${name}: add a story to admin-ui/dev/gallery/${section}.tsx`);
  assert.deepEqual(missing, []);
});

test('list of components without a story names only components that need a story and have none', () => {
  const known = new Map(components.map(({ name, section }) => [name, section]));
  const stale = Object.keys(WITHOUT_STORY).filter(
    (name) => !known.has(name) || stories.get(known.get(name)!)?.has(name),
  );
  assert.deepEqual(stale, []);
});

test('every story names an exported component', () => {
  const exported = new Set(sources.flatMap(({ text }) => [...namesIn(COMPONENT, text), ...namesIn(HOOK, text)]));
  const unknown = [...stories.values()].flatMap((names) => [...names]).filter((name) => !exported.has(name));
  assert.deepEqual(unknown, []);
});
