/** E-mails about alerts: the most serious first, a count per kind, and a limited number of names. Pure functions. */

import { isProblem } from '../../shared/contract/problems.ts';
import { type AlertKind, rankOf } from '../../shared/contract/server/alerts.ts';
import { parseLocal } from '../../shared/program/civil.ts';
import type { Letter, WrittenFacts } from './en.ts';
import type { MailWords } from './words.ts';

export interface AlertInMail {
  readonly kind: AlertKind;
  /** For an alert of the server: code of the problem, for example of a failing disk. */
  readonly ref: string;
  readonly name: string;
  readonly facts: Readonly<Record<string, string | number | null>>;
  /** Time of the alert in epoch seconds. */
  readonly since: number;
}

/** Maximum number of names (screens, contents) that an e-mail lists per kind of alert. */
const NAMED = 10;
const INDENT = '  ';

const factsIn = (words: MailWords, { facts }: AlertInMail): WrittenFacts => {
  const { value, until, message, cause } = facts;
  return {
    value: typeof value === 'number' ? words.number(value) : '',
    until: typeof until === 'string' ? words.local(parseLocal(`${until}:00`)) : '',
    message: typeof message === 'string' ? words.sentence(message) : '',
    cause: typeof cause === 'string' ? cause : '',
  };
};

/** Name of the screen, content or widget that the alert is about, for people. */
export const nameIn = ({ texts }: MailWords, { kind, ref, name }: AlertInMail): string =>
  kind === 'server' && isProblem(ref) ? texts.problems[ref] : name;

const lineOf = (words: MailWords, alert: AlertInMail): string => {
  const what = words.texts.kinds[alert.kind].one(factsIn(words, alert));
  const said = `${nameIn(words, alert)}: ${what}`;
  // No time is added to an alert of the server, because its message is already a complete sentence.
  return alert.kind === 'server' ? said : words.texts.since(said, words.moment(alert.since));
};

/** Groups alerts by kind, the most serious kinds first. */
export const byKind = <A extends { readonly kind: AlertKind; readonly ref: string }>(
  alerts: readonly A[],
): [AlertKind, A[]][] => {
  const worst = (of: readonly A[]) => Math.min(...of.map(({ kind, ref }) => rankOf(kind, ref)));
  return [...Map.groupBy(alerts, ({ kind }) => kind)].toSorted(([, a], [, b]) => worst(a) - worst(b));
};

/** Returns one line per alert. For a kind with many alerts, returns the first ones and the number of others. */
export const linesIn = (words: MailWords, alerts: readonly AlertInMail[]): string =>
  byKind(alerts)
    .flatMap(([, of]) => [
      ...of.slice(0, NAMED).map((alert) => lineOf(words, alert)),
      ...(of.length > NAMED ? [words.texts.andMore(of.length - NAMED)] : []),
    ])
    .map((line) => INDENT + line)
    .join('\n');

const subjectIn = (words: MailWords, alerts: readonly AlertInMail[]): string => {
  const [first] = alerts;
  const { texts } = words;
  if (alerts.length === 1 && first!.kind === 'server') return nameIn(words, first!);
  if (alerts.length === 1) {
    const short = { ...factsIn(words, first!), cause: '', message: '' };
    return `${first!.name}: ${texts.kinds[first!.kind].one(short)}`;
  }
  const kinds = byKind(alerts);
  return kinds.length === 1 ? texts.kinds[kinds[0]![0]].many(alerts.length) : texts.things(alerts.length);
};

/** @param link page with instructions */
export const alertsLetter = (words: MailWords, alerts: readonly AlertInMail[], link: string): Letter => ({
  subject: subjectIn(words, alerts),
  text: `${linesIn(words, alerts)}\n\n${words.texts.lookHere(link)}\n`,
});
