/**
 * Incidents of a screen's program, such as crashes: the launcher stores them in a file, and the agents read the file
 * and report the incidents to their server. Only the newest incidents are stored, but all are counted.
 */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { writeAtomically } from '../agent/files/files.ts';
import { jsonOrUndefined } from '../core/files/documents.ts';
import type { Documents, Log } from '../core/ports.ts';

const KEPT = 20;

const Mishap = z.object({
  kind: z.enum(['crash', 'hang', 'given-up']),
  version: z.string(),
  why: z.string(),
  /** Time on this machine's own clock, epoch milliseconds. */
  at: z.number(),
});
export type Mishap = z.infer<typeof Mishap>;

const Mishaps = z.object({
  /** Number of all incidents so far, which is also the number of the last one. */
  count: z.number().int().min(0),
  crashes: z.number().int().min(0),
  hangs: z.number().int().min(0),
  /** The incidents, newest last. */
  last: z.array(Mishap).max(KEPT),
});
export type Mishaps = z.infer<typeof Mishaps>;

const NONE: Mishaps = { count: 0, crashes: 0, hangs: 0, last: [] };

/** Reads the file. An unreadable file counts as empty. */
export const readMishaps = async (path: string): Promise<Mishaps> => {
  const text = await readFile(path, 'utf8').catch(() => '');
  return Mishaps.safeParse(jsonOrUndefined(text)).data ?? NONE;
};

/** Adds an incident to the file. Never rejects. @param now epoch milliseconds */
export const mishapCounter =
  ({ path, now, log }: { path: string; now: () => number; log: Log }) =>
  async (mishap: Omit<Mishap, 'at'>): Promise<void> => {
    try {
      const { count, crashes, hangs, last } = await readMishaps(path);
      const next: Mishaps = {
        count: count + 1,
        crashes: crashes + Number(mishap.kind === 'crash'),
        hangs: hangs + Number(mishap.kind === 'hang'),
        last: [...last, { ...mishap, why: mishap.why.slice(0, 300), at: now() }].slice(-KEPT),
      };
      await writeAtomically(path, `${JSON.stringify(next)}\n`);
    } catch (error) {
      log.warn('what befell the program could not be counted', error);
    }
  };

/** Returns one sentence per version and kind for the incidents that came after the incident with the number `told`. */
export const sentencesOf = ({ count, crashes, hangs, last }: Mishaps, told: number): string[] => {
  const fresh = last.slice(Math.max(0, last.length - (count - (told > count ? 0 : told))));
  const groups = Map.groupBy(fresh, ({ kind, version }) => `${kind} ${version}`);
  return [...groups.values()].map((group) => {
    const { kind, version, why } = group.at(-1)!;
    if (kind === 'given-up') return `version ${version} was given up for the one before it: ${why}`;
    const what = kind === 'crash' ? 'crashed' : 'hung';
    const times = group.length === 1 ? '' : ` ${group.length} times`;
    return `the screen’s program, version ${version}, ${what}${times}: ${why} (until now ${crashes} crashes and ${hangs} hangs)`;
  });
};

const Told = z.object({ count: z.number().int().min(0) });
const TOLD = 'mishaps-told';

/**
 * Reports the incidents of this computer's program since the last report to the server. Each screen reports all
 * incidents. Every incident restarts the agents, so one check per start is enough. Never rejects.
 */
export const reportIncidents = async ({
  path,
  documents,
  tell,
  log,
}: {
  path: string;
  documents: Pick<Documents, 'read' | 'write'>;
  tell: (message: string, sent: () => void) => void;
  log: Log;
}): Promise<void> => {
  try {
    const mishaps = await readMishaps(path);
    const told = Told.safeParse(jsonOrUndefined((await documents.read(TOLD)) ?? '')).data?.count ?? 0;
    const sentences = sentencesOf(mishaps, told);
    const save = () =>
      documents
        .write(TOLD, JSON.stringify({ count: mishaps.count } satisfies z.infer<typeof Told>))
        .catch((error) => log.warn('that the server was told could not be kept', error));
    let left = sentences.length;
    for (const sentence of sentences) tell(sentence, () => --left === 0 && void save());
  } catch (error) {
    log.warn('what befell the program could not be told', error);
  }
};
