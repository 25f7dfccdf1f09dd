import { useTranslation } from 'react-i18next';
import { isProblem } from '../../../shared/contract/problems.ts';
import { type Alert, darkCauses } from '../../../shared/contract/server/alerts.ts';
import { dayOf, parseLocal } from '../../../shared/program/civil.ts';
import { writeDay, writeTime } from '../../i18n/civil.ts';
import { worded } from '../../i18n/sentences.ts';
import { useFormat } from '../../i18n/useFormat.ts';

const textIn = (facts: Alert['facts'], name: string): string => (typeof facts[name] === 'string' ? facts[name] : '');
const numberIn = (facts: Alert['facts'], name: string): number => (typeof facts[name] === 'number' ? facts[name] : 0);

/** Name of the alert's subject. Problems of the server have their own names. */
export const useAlertName = (): ((alert: Pick<Alert, 'of' | 'ref' | 'name'>) => string) => {
  const { t } = useTranslation();
  return ({ of, ref, name }) => (of === 'server' && isProblem(ref) ? t(`server.problems.${ref}`) : name);
};

interface AlertWords {
  readonly name: string;
  readonly what: string;
  /** Details while the alert is open. */
  readonly detail: string;
  /** Details after the alert has ended. */
  readonly was: string;
  readonly todo: string;
}

export const useAlertWords = (alert: Alert): AlertWords => {
  const { t } = useTranslation();
  const { locale, number } = useFormat();
  const name = useAlertName()(alert);
  const { kind, facts } = alert;
  const message = textIn(facts, 'message');
  const more = numberIn(facts, 'count') - 1;
  // Messages of the server about itself already contain the remedy.
  if (kind === 'server') return { name, what: '', detail: worded(message), was: worded(message), todo: '' };
  const minute = textIn(facts, 'until');
  const local = minute ? parseLocal(`${minute}:00`) : 0;
  const until = minute && `${writeDay(locale, dayOf(local))}, ${writeTime(locale, local)}`;
  const cause = darkCauses.find((one) => one === facts['cause']) ?? 'unknown';
  const address = textIn(facts, 'address');
  const what = t(`attention.kind.${kind}.one`, { value: number(numberIn(facts, 'value'), 1), until });
  return {
    name,
    what,
    was: kind === 'screen_dark' ? t(`attention.was.${cause}`) : message ? worded(message) : what,
    detail: message
      ? [worded(message), ...(more > 0 ? [t('attention.moreFaults', { count: more })] : [])].join('. ')
      : address
        ? t('attention.address', { address })
        : '',
    todo:
      kind === 'screen_dark'
        ? t(`attention.todo.screen_dark.${cause}`, { count: numberIn(facts, 'neighbours') })
        : t(`attention.todo.${kind}`),
  };
};
