/**
 * Finds faults that the compiler notices, mostly a text that is no member of a union type. Tests need not notice them.
 * All faults are written into one copy of the sources, because a type check takes seconds.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mutation } from './mutations.ts';

const root = join(import.meta.dirname, '../..');
const FOLDERS = ['server', 'player', 'admin-ui', 'shared', 'build', 'test', 'tsconfig.json', 'package.json'];

/** Returns whether the fault replaces a text, which may violate a type. Other faults change only behaviour. */
const isText = ({ kind, text }: Mutation): boolean => kind === 'literal' && /^'/.test(text);

/** Returns the faults that do not compile. */
export const untypable = async <M extends Mutation & { file: string }>(mutants: readonly M[]): Promise<Set<M>> => {
  const wanted = mutants.filter(isText);
  if (wanted.length === 0) return new Set();
  const copy = mkdtempSync(join(tmpdir(), 'vitrine-typed-'));
  try {
    for (const folder of FOLDERS) cpSync(join(root, folder), join(copy, folder), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const places = new Map<string, M>();
    for (const [file, all] of Map.groupBy(wanted, (mutant) => mutant.file)) {
      const source = readFileSync(join(root, file), 'utf8');
      let text = '';
      let from = 0;
      for (const mutant of all.toSorted((a, b) => a.start - b.start)) {
        text += source.slice(from, mutant.start);
        const line = text.split('\n').length;
        places.set(`${file} ${line} ${text.length - text.lastIndexOf('\n')}`, mutant);
        text += mutant.text;
        from = mutant.end;
      }
      writeFileSync(join(copy, file), text + source.slice(from));
    }
    const said = await new Promise<string>((done) => {
      const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
      execFile(
        process.execPath,
        [tsc, '--noEmit', '--pretty', 'false', '-p', '.'],
        { cwd: copy, maxBuffer: 2 ** 26 },
        (_, out) => done(out),
      );
    });
    return new Set([...said.matchAll(/^([^(\s]+)\((\d+),(\d+)\): error/gm)].flatMap(blamed(places)));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
};

/** The compiler reports a wrong field at the name of the field, before the text. */
const blamed =
  <M>(places: ReadonlyMap<string, M>) =>
  ([, file, line, column]: RegExpExecArray): M[] => {
    const onLine = [...places].filter(([place]) => place.startsWith(`${file} ${line} `));
    const behind = onLine.find(([place]) => Number(place.split(' ')[2]) >= Number(column));
    return behind ? [behind[1]] : [];
  };
