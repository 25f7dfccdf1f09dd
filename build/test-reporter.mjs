/**
 * Reporter of `npm test` for node:test: shows failures with reasons and skipped tests with reasons, nothing else.
 * Writes the counts and the files with failed tests to the file in VITRINE_TEST_COUNTS. Default export, as node:test
 * requires.
 */
import { writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { inspect } from 'node:util';

const where = (data) => (data.file ? `${relative(process.cwd(), data.file)}:${data.line ?? 1}` : '');

const reasonOf = (error) => {
  const cause = error?.cause ?? error;
  return typeof cause === 'string'
    ? cause
    : inspect(cause, { depth: 4, breakLength: 120, maxStringLength: 4000, colors: false });
};

const indent = (text) => text.replaceAll(/^/gm, '      ');

/** A suite that fails because of a failed test is skipped here, because the test has been reported already. */
const isEcho = (data) => data.details?.error?.failureType === 'subtestsFailed';

/** Returns whether an event is about a test file that shares its process with other files (test-group.mjs). */
const isSharedFile = (data) => data.details?.type === 'suite' && data.nesting === 0 && data.name.endsWith('.test.ts');
/** A file that cannot be loaded fails as a whole; the event then names the program that loads the file. */
const fileOf = (data) => (isSharedFile(data) ? resolve(data.name) : data.file);

export default async function* report(source) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const spoken = new Map();
  const failed = new Set();
  /** Duration of each file in milliseconds. */
  const times = {};
  const words = function* (file) {
    const output = spoken.get(file)?.trimEnd();
    if (output) yield `      it said:\n${indent(output)}\n`;
    spoken.delete(file);
  };
  for await (const { type, data } of source) {
    if ((type === 'test:stderr' || type === 'test:stdout') && data.file) {
      // Output events have the path as given on the command line; results have the absolute path.
      const file = resolve(data.file);
      spoken.set(file, `${spoken.get(file) ?? ''}${data.message}`.slice(-6000));
    } else if (type === 'test:summary' && data.file) {
      times[relative(process.cwd(), data.file)] = Math.round(data.duration_ms);
    } else if (type === 'test:complete' && isSharedFile(data)) {
      times[data.name] = Math.round(data.details.duration_ms);
    } else if (type === 'test:pass' && data.skip !== undefined) {
      counts.skipped++;
      yield `    skipped: ${data.name}${typeof data.skip === 'string' ? ` (${data.skip})` : ''}  ${where(data)}\n`;
    } else if (type === 'test:pass' && data.details?.type !== 'suite' && data.todo === undefined) {
      counts.passed++;
    } else if (type === 'test:fail' && data.todo === undefined && !isEcho(data)) {
      counts.failed++;
      yield `    FAILED: ${data.name}  ${where(data)}\n${indent(reasonOf(data.details?.error))}\n`;
      yield* words(data.file);
      failed.add(fileOf(data));
    }
  }
  // Prints output that has arrived after the result of its test.
  for (const file of failed) {
    if (spoken.get(file)?.trim()) yield `    ${relative(process.cwd(), file)}\n`;
    yield* words(file);
  }
  if (process.env.VITRINE_TEST_COUNTS)
    writeFileSync(process.env.VITRINE_TEST_COUNTS, JSON.stringify({ ...counts, failed_files: [...failed], times }));
}
