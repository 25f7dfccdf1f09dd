/** Problems of the server itself, worst first. The page of the server, alerts, mails and metrics use this list. */
import { z } from 'zod';

interface Declaration {
  /** Severity. `bad`: data or plays are lost, or may be lost. */
  readonly severity: 'bad' | 'warn';
  /** Minutes for which the problem must last before a person has to act. */
  readonly minutes: number;
}

export const PROBLEMS = {
  database_failing: { severity: 'bad', minutes: 0 },
  database_damaged: { severity: 'bad', minutes: 0 },
  keys_missing: { severity: 'bad', minutes: 0 },
  disk_full: { severity: 'bad', minutes: 0 },
  /** Problems of the database of plays of a headquarters. */
  postgres_failing: { severity: 'bad', minutes: 2 },
  media_damaged: { severity: 'bad', minutes: 0 },
  https_failing: { severity: 'bad', minutes: 2 },
  media_missing: { severity: 'warn', minutes: 0 },
  backup_failed: { severity: 'warn', minutes: 0 },
  backup_damaged: { severity: 'warn', minutes: 0 },
  backup_old: { severity: 'warn', minutes: 0 },
  clock_doubtful: { severity: 'warn', minutes: 10 },
  disk_low: { severity: 'warn', minutes: 0 },
  /** Problems of the nats-server of a headquarters. Stores use HTTPS meanwhile. */
  hub_failing: { severity: 'warn', minutes: 5 },
  certificate_ends: { severity: 'warn', minutes: 0 },
  mail_failing: { severity: 'warn', minutes: 0 },
  webhook_failing: { severity: 'warn', minutes: 5 },
  mqtt_failing: { severity: 'warn', minutes: 5 },
  no_ffmpeg: { severity: 'warn', minutes: 0 },
} as const satisfies Record<string, Declaration>;
export type ProblemCode = keyof typeof PROBLEMS;
export const PROBLEM_CODES = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]];

export const isProblem = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code);

export const Problem = z.object({
  /** Code of the problem. It never changes, so that clients can show their own text. */
  code: z.enum(PROBLEM_CODES),
  /** Text for people: what the problem is, and how to solve it. */
  text: z.string(),
});
export type Problem = z.infer<typeof Problem>;
