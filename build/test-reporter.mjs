/**
 * What `npm test` shows of a run of node:test: failures with their reasons, skipped tests with theirs, nothing else.
 * The numbers, and the files of which a test failed, go to the file named by VITRINE_TEST_COUNTS. Default export: node:test asks for it.
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

/** A suite fails because a test in it does; that test has been told already. */
const isEcho = (data) => data.details?.error?.failureType === 'subtestsFailed';

export default async function* report(source) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const spoken = new Map();
  const failed = new Set();
  /** Milliseconds by file, from its start to its end. */
  const times = {};
  const words = function* (file) {
    const output = spoken.get(file)?.trimEnd();
    if (output) yield `      it said:\n${indent(output)}\n`;
    spoken.delete(file);
  };
  for await (const { type, data } of source) {
    if ((type === 'test:stderr' || type === 'test:stdout') && data.file) {
      // Named as it was given; results name the whole path.
      const file = resolve(data.file);
      spoken.set(file, `${spoken.get(file) ?? ''}${data.message}`.slice(-6000));
    } else if (type === 'test:summary' && data.file) {
      times[relative(process.cwd(), data.file)] = Math.round(data.duration_ms);
    } else if (type === 'test:pass' && data.skip !== undefined) {
      counts.skipped++;
      yield `    skipped: ${data.name}${typeof data.skip === 'string' ? ` (${data.skip})` : ''}  ${where(data)}\n`;
    } else if (type === 'test:pass' && data.details?.type !== 'suite' && data.todo === undefined) {
      counts.passed++;
    } else if (type === 'test:fail' && data.todo === undefined && !isEcho(data)) {
      counts.failed++;
      yield `    FAILED: ${data.name}  ${where(data)}\n${indent(reasonOf(data.details?.error))}\n`;
      yield* words(data.file);
      failed.add(data.file);
    }
  }
  // What a test says at its end comes by another way than its result, and may come later.
  for (const file of failed) {
    if (spoken.get(file)?.trim()) yield `    ${relative(process.cwd(), file)}\n`;
    yield* words(file);
  }
  if (process.env.VITRINE_TEST_COUNTS)
    writeFileSync(process.env.VITRINE_TEST_COUNTS, JSON.stringify({ ...counts, failed_files: [...failed], times }));
}
