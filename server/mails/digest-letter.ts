/**
 * Daily e-mail: open alerts (the most serious first, one line per kind), counts of new and closed alerts, and content
 * that ends soon. Pure functions.
 */
import { ALERT_KINDS, type AlertKind } from '../../shared/contract/server/alerts.ts';
import { parseLocal } from '../../shared/program/civil.ts';
import { type AlertInMail, byKind, nameIn } from './alert-letters.ts';
import type { Letter } from './en.ts';
import type { MailWords } from './words.ts';

export interface DigestFacts {
  /** Name of the workspace. */
  readonly workspace: string;
  /** Day of the e-mail, as number of days since 1970-01-01. */
  readonly today: number;
  /** All open alerts, except for content that ends soon. */
  readonly open: readonly AlertInMail[];
  readonly came: KindCounts;
  readonly went: KindCounts;
  /** Content that ends soon. `first` lists the first contents. `until`: local minute, YYYY-MM-DDTHH:mm. */
  readonly ending: { readonly count: number; readonly first: readonly { name: string; until: string }[] };
  /** Percent of time in which screens were online; undefined without data. */
  readonly uptime: number | undefined;
  readonly plays: number;
  /** Address of this server, without a trailing slash. */
  readonly origin: string;
}
export type KindCounts = Readonly<Partial<Record<AlertKind, number>>>;

/** Maximum number of names that the e-mail lists per kind. */
const NAMED = 3;

export const isQuiet = ({ open, came, went, ending }: DigestFacts): boolean =>
  open.length + ending.count + Object.keys(came).length + Object.keys(went).length === 0;

const lineOf = (words: MailWords, kind: AlertKind, alerts: readonly AlertInMail[]): string => {
  const { texts } = words;
  const names = alerts
    .slice(0, NAMED)
    .map((alert) => nameIn(words, alert))
    .join(', ');
  const more = alerts.length > NAMED ? ` ${texts.andMore(alerts.length - NAMED)}` : '';
  return `${texts.kinds[kind].many(alerts.length)}: ${names}${more}`;
};

const countsIn = ({ texts }: MailWords, counts: KindCounts): string =>
  ALERT_KINDS.flatMap((kind) => (counts[kind] ? [texts.kinds[kind].many(counts[kind])] : [])).join(', ');

export const digestLetter = (words: MailWords, facts: DigestFacts): Letter => {
  const { open, came, went, ending, uptime, plays, origin, workspace, today } = facts;
  const { digest, andMore, lookHere } = words.texts;
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [[title, ...lines.map((line) => `  ${line}`)].join('\n')];
  const [cameWords, wentWords] = [countsIn(words, came), countsIn(words, went)];
  const ends = ending.first.map(({ name, until }) => digest.ends(name, words.local(parseLocal(`${until}:00`))));
  if (ending.count > ends.length) ends.push(andMore(ending.count - ends.length));
  const parts = [
    ...(isQuiet(facts) ? [digest.nothing] : []),
    ...section(
      digest.now,
      byKind(open).map(([kind, alerts]) => lineOf(words, kind, alerts)),
    ),
    ...section(digest.recent, [
      ...(cameWords ? [digest.came(cameWords)] : []),
      ...(wentWords ? [digest.went(wentWords)] : []),
    ]),
    ...section(digest.endsSoon, ends),
    digest.yesterday({ uptime: uptime === undefined ? undefined : words.number(uptime), plays }),
    ...(isQuiet(facts) ? [] : [lookHere(`${origin}/#/attention`)]),
    digest.why(workspace),
  ];
  return { subject: digest.subject(open.length, words.day(today)), text: `${parts.join('\n\n')}\n` };
};
