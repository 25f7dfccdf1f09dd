import { useTranslation } from 'react-i18next';
import { type Alert, darkCauses } from '../../../shared/contract/alerts.ts';
import { dayOf, parseLocal } from '../../../shared/program/civil.ts';
import { writeDay, writeTime } from '../../i18n/civil.ts';
import { worded } from '../../i18n/sentences.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';

const textIn = (facts: Alert['facts'], name: string): string => (typeof facts[name] === 'string' ? facts[name] : '');
const numberIn = (facts: Alert['facts'], name: string): number => (typeof facts[name] === 'number' ? facts[name] : 0);

/** What is wrong, what is known of it, and what to do. */
export const useAlertWords = ({ kind, facts }: Alert): { what: string; detail: string; todo: string } => {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const minute = textIn(facts, 'until');
  const local = minute ? parseLocal(`${minute}:00`) : 0;
  const until = minute && `${writeDay(locale, dayOf(local))}, ${writeTime(locale, local)}`;
  const cause = darkCauses.find((one) => one === facts['cause']) ?? 'unknown';
  const address = textIn(facts, 'address');
  const message = textIn(facts, 'message');
  return {
    what: t(`attention.kind.${kind}.one`, { value: numberIn(facts, 'value'), until }),
    detail: message ? worded(message) : address ? t('attention.address', { address }) : '',
    todo:
      kind === 'screen_dark'
        ? t(`attention.todo.screen_dark.${cause}`, { count: numberIn(facts, 'neighbours') })
        : t(`attention.todo.${kind}`),
  };
};
