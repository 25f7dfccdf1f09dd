import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { useTranslation } from 'react-i18next';
import { civilOf, DAY_MS, parseDate, weekdayOf } from '../../../shared/program/civil.ts';
import { AmountField } from '../../components/AmountField.tsx';
import { Select } from '../../components/Select.tsx';
import { TextField } from '../../components/TextField.tsx';
import { firstWeekday, writeDay, writeWeekday } from '../../i18n/civil.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';
import { isLast, type Repeat, type RepeatKind, ruleOf } from './rule.utils.ts';
import { inWords } from './words.utils.ts';

/** @param day on which it first starts */
export function RepeatFields({
  repeat,
  day,
  onChange,
}: {
  repeat: Repeat;
  day: number;
  onChange: (repeat: Repeat) => void;
}) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const { kind, ending } = repeat;
  const kinds: RepeatKind[] = [
    'once',
    'daily',
    'weekly',
    'monthly',
    'yearly',
    ...(repeat.rule === null ? [] : (['custom'] as const)),
  ];
  const inFourWeeks = new Date((day + 28) * DAY_MS).toISOString().slice(0, 10);
  const endings = {
    never: { kind: 'never' },
    date: { kind: 'date', date: inFourWeeks },
    count: { kind: 'count', count: 10 },
  } as const;
  const nthDay = writeDay(locale, day, { weekday: 'long' });
  return (
    <>
      <div className="pair">
        <Select
          label={t('schedule.repeat')}
          value={kind}
          onChange={(next) => onChange({ ...repeat, kind: next })}
          options={kinds.map((value) => ({ value, label: t(`schedule.repeatKind.${value}`) }))}
        />
        {kind !== 'once' && kind !== 'custom' && (
          <AmountField
            label={t(`schedule.intervalOf.${kind}`)}
            value={repeat.interval}
            min={1}
            max={99}
            onChange={(interval) => onChange({ ...repeat, interval })}
          />
        )}
      </div>
      {kind === 'weekly' && (
        <Weekdays days={repeat.days} own={weekdayOf(day)} onChange={(days) => onChange({ ...repeat, days })} />
      )}
      {kind === 'monthly' && (
        <Select
          label={t('schedule.monthlyOn')}
          value={repeat.monthly}
          onChange={(monthly) => onChange({ ...repeat, monthly })}
          options={(['date', 'nth', ...(isLast(day) ? (['last'] as const) : [])] as const).map((value) => ({
            value,
            label: t(`schedule.monthly.${value}`),
            hint: value === 'date' ? String(civilOf(day).day) : nthDay,
          }))}
        />
      )}
      {kind !== 'once' && (
        <div className="pair">
          <Select
            label={t('schedule.ends')}
            value={ending.kind}
            onChange={(next) => onChange({ ...repeat, ending: endings[next] })}
            options={(kind === 'custom' ? (['never', 'date'] as const) : (['never', 'date', 'count'] as const)).map(
              (value) => ({ value, label: t(`schedule.endsKind.${value}`) }),
            )}
          />
          {ending.kind === 'date' && (
            <TextField
              label={t('schedule.endDate')}
              type="date"
              value={ending.date}
              onChange={(date) => isDate(date) && onChange({ ...repeat, ending: { kind: 'date', date } })}
            />
          )}
          {ending.kind === 'count' && (
            <AmountField
              label={t('schedule.endsCount')}
              value={ending.count}
              min={1}
              max={9999}
              onChange={(count) => onChange({ ...repeat, ending: { kind: 'count', count } })}
            />
          )}
        </div>
      )}
      {kind !== 'once' && (
        <p className="in-words" role="status">
          {inWords(ruleOf(repeat, day), day, { t, locale })}
        </p>
      )}
    </>
  );
}

const isDate = (text: string): boolean => {
  try {
    return parseDate(text) > 0;
  } catch {
    return false;
  }
};

function Weekdays({
  days,
  own,
  onChange,
}: {
  days: readonly number[];
  own: number;
  onChange: (days: number[]) => void;
}) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const first = firstWeekday(locale);
  return (
    <div className="field">
      <span className="field-label">{t('schedule.weekdays')}</span>
      <ToggleButtonGroup
        className="weekdays"
        aria-label={t('schedule.weekdays')}
        selectionMode="multiple"
        selectedKeys={[...days, own].map(String)}
        onSelectionChange={(keys) => onChange([...new Set([own, ...[...keys].map(Number)])].sort())}
      >
        {Array.from({ length: 7 }, (_, i) => (first + i) % 7).map((day) => (
          // The day it starts on is always one of them.
          <ToggleButton key={day} id={String(day)} isDisabled={day === own} aria-label={writeWeekday(locale, day)}>
            {writeWeekday(locale, day, 'short')}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </div>
  );
}
