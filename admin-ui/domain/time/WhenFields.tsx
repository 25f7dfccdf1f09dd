import { useState } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { useTranslation } from 'react-i18next';
import { civilOf, formatDate } from '../../../shared/program/civil.ts';
import { Segments } from '../../components/choices/Choices.tsx';
import { Select } from '../../components/choices/Select.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { AmountField } from '../../components/fields/AmountField.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { firstWeekday, writeDay, writeWeekday } from '../../i18n/civil.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';
import {
  dayOfText,
  type Ending,
  EVERY_DAY,
  isLastOfMonth,
  RHYTHMS,
  type Rhythm,
  showsWeekdays,
  type When,
  WORKING_DAYS,
  withFirst,
} from './when.utils.ts';
import './whenFields.css';

type WhenFieldsProps = { when: When; onChange: (when: When) => void; error: string | undefined };

/**
 * Fields for the time of a plan: first day, last day, hours, weekdays. Rarer settings are behind the choice "Repeat".
 */
export function WhenFields({ when, onChange, error }: WhenFieldsProps) {
  const { t } = useTranslation();
  const { ending, rhythm } = when;
  const change = (part: Partial<When>) => onChange({ ...when, ...part });
  return (
    <>
      <div className="pair">
        <DateField
          label={t('schedule.startDate')}
          value={when.first}
          onChange={(first) => onChange(withFirst(when, first))}
        />
        {ending.kind === 'count' ? (
          <AmountField
            label={t('schedule.endsCount')}
            value={ending.count}
            min={1}
            max={9999}
            onChange={(count) => change({ ending: { kind: 'count', count } })}
          />
        ) : (
          <DateField
            label={t('schedule.endDate')}
            value={ending.kind === 'date' ? ending.date : ''}
            isDisabled={ending.kind === 'never'}
            onChange={(date) => change({ ending: { kind: 'date', date } })}
          />
        )}
      </div>
      {rhythm !== 'through' && <EndingChoice when={when} onChange={(next) => change({ ending: next })} />}
      <HoursFields when={when} change={change} />
      {showsWeekdays(when) && <Weekdays days={when.days} onChange={(days) => change({ days })} />}
      <RepeatFields when={when} change={change} />
      {error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </>
  );
}

/** Usual durations of campaigns in days. */
const LENGTHS = [1, 7, 14, 28] as const;
const OPEN = 'open';
const lastAfter = (first: number, days: number): Ending => ({ kind: 'date', date: formatDate(first + days - 1) });

/** The end of a recurrence: after a usual duration, or never; for unusual repetitions also after a number of times. */
function EndingChoice({ when, onChange }: { when: When; onChange: (ending: Ending) => void }) {
  const { t } = useTranslation();
  const { ending, rhythm, first } = when;
  const endings = {
    never: { kind: 'never' },
    date: { kind: 'date', date: first },
    count: { kind: 'count', count: 10 },
  } as const;
  const day = dayOfText(first);
  if (ending.kind !== 'count' && (rhythm === 'days' || rhythm === 'custom')) {
    const last = ending.kind === 'date' ? dayOfText(ending.date) : null;
    const length = day !== null && last !== null ? String(last - day + 1) : OPEN;
    return (
      <ToggleButtonGroup
        className="plan-lengths"
        aria-label={t('schedule.length')}
        selectedKeys={[ending.kind === 'never' ? OPEN : length]}
        onSelectionChange={([key]) => {
          if (key === OPEN) onChange(endings.never);
          // A click on the present choice changes nothing, except that a missing end is filled in.
          else if (day !== null) onChange(key === undefined ? endings.date : lastAfter(day, Number(key)));
        }}
      >
        {LENGTHS.map((days) => (
          <ToggleButton key={days} id={String(days)}>
            {days % 7 === 0 ? t('schedule.weeks', { count: days / 7 }) : t('schedule.oneDay')}
          </ToggleButton>
        ))}
        <ToggleButton id={OPEN}>{t('schedule.noEnd')}</ToggleButton>
      </ToggleButtonGroup>
    );
  }
  return (
    <Select
      label={t('schedule.ends')}
      value={ending.kind}
      onChange={(kind) => onChange(endings[kind])}
      options={(['date', 'never', 'count'] as const).map((value) => ({
        value,
        label: t(`schedule.endsKind.${value}`),
      }))}
    />
  );
}

type Part = { when: When; change: (part: Partial<When>) => void };

function HoursFields({ when, change }: Part) {
  const { t } = useTranslation();
  const isWhole = when.allDay && when.rhythm !== 'custom';
  return (
    <>
      {when.rhythm !== 'custom' && (
        <div className="field">
          <Segments
            label={t('schedule.hours')}
            value={isWhole ? 'all' : 'some'}
            onChange={(hours) => change({ allDay: hours === 'all' })}
            options={[
              { value: 'all', label: t(when.rhythm === 'through' ? 'schedule.hoursThrough' : 'schedule.hoursAll') },
              { value: 'some', label: t('schedule.hoursSome') },
            ]}
          />
        </div>
      )}
      {!isWhole && (
        <div className="pair">
          <TextField label={t('reports.from')} type="time" value={when.from} onChange={(from) => change({ from })} />
          <TextField
            label={t('reports.to')}
            type="time"
            value={when.to}
            onChange={(to) => change({ to })}
            {...(when.rhythm !== 'through' &&
              !when.kept &&
              when.from !== '' &&
              when.to !== '' &&
              when.to <= when.from && { hint: t('schedule.nextDay') })}
          />
        </div>
      )}
    </>
  );
}

/**
 * Returns the changes of the form for another repetition. A plan of one day that becomes repeated first has no end,
 * because with its present end it would never repeat.
 */
const withRhythm = (when: When, rhythm: Rhythm): Partial<When> => ({
  rhythm,
  ...(rhythm !== 'days' &&
    rhythm !== 'through' &&
    when.ending.kind === 'date' &&
    when.ending.date === when.first && { ending: { kind: 'never' as const } }),
  ...((rhythm === 'days' || rhythm === 'through') &&
    when.ending.kind !== 'date' && { ending: { kind: 'date' as const, date: when.first } }),
  interval: rhythm === 'everyDays' || rhythm === 'everyWeeks' ? Math.max(2, when.interval) : 1,
});

function RepeatFields({ when, change }: Part) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const { rhythm } = when;
  const day = dayOfText(when.first);
  const counted = rhythm === 'everyDays' || rhythm === 'everyWeeks' || rhythm === 'monthly' || rhythm === 'yearly';
  const onDays =
    day === null ? [] : (['date', 'nth', ...(isLastOfMonth(day) ? (['last'] as const) : []), ...WORKING_DAYS] as const);
  const hintOf = (value: When['monthly'], first: number) => {
    if (value === 'date') return String(civilOf(first).day);
    return value === 'nth' || value === 'last'
      ? writeDay(locale, first, { weekday: 'long' })
      : t('schedule.workingDays');
  };
  return (
    <>
      <div className="pair">
        <Select
          label={t('schedule.repeat')}
          value={rhythm}
          onChange={(next) => change(withRhythm(when, next))}
          options={RHYTHMS.filter((value) => value !== 'custom' || when.kept !== null).map((value) => ({
            value,
            label: t(`schedule.rhythm.${value}`),
          }))}
        />
        {counted && (
          <AmountField
            label={t(`schedule.intervalOf.${rhythm}`)}
            value={when.interval}
            min={1}
            max={99}
            onChange={(interval) => change({ interval })}
          />
        )}
      </div>
      {rhythm === 'monthly' && day !== null && (
        <Select
          label={t('schedule.monthlyOn')}
          value={when.monthly}
          onChange={(monthly) => change({ monthly })}
          options={onDays.map((value) => ({
            value,
            label: t(`schedule.monthly.${value}`),
            hint: hintOf(value, day),
          }))}
        />
      )}
    </>
  );
}

type DateFieldProps = { label: string; value: string; isDisabled?: boolean; onChange: (date: string) => void };

/**
 * Field for a date. While the user types, the text is no date, or a date in the year 202. Only complete dates are
 * reported, and an incomplete text is reset when the user leaves the field.
 */
function DateField({ label, value, isDisabled = false, onChange }: DateFieldProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <TextField
      label={label}
      type="date"
      value={typed ?? value}
      isDisabled={isDisabled}
      onChange={(text) => {
        const isDay = dayOfText(text) !== null;
        setTyped(isDay ? undefined : text);
        if (isDay) onChange(text);
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}

const WORKDAYS = [1, 2, 3, 4, 5];

function Weekdays({ days, onChange }: { days: readonly number[]; onChange: (days: readonly number[]) => void }) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const first = firstWeekday(locale);
  return (
    <div className="field">
      <span className="field-label weekdays-label">
        {t('schedule.weekdays')}
        <Button
          size="small"
          variant="quiet"
          onPress={() => onChange(days.length === EVERY_DAY.length ? WORKDAYS : EVERY_DAY)}
        >
          {days.length === EVERY_DAY.length
            ? t('schedule.workdays', { from: writeWeekday(locale, 1, 'short'), to: writeWeekday(locale, 5, 'short') })
            : t('schedule.everyDay', { count: 1 })}
        </Button>
      </span>
      <ToggleButtonGroup
        className="weekdays"
        aria-label={t('schedule.weekdays')}
        selectionMode="multiple"
        selectedKeys={days.map(String)}
        onSelectionChange={(keys) => onChange([...keys].map(Number).sort())}
      >
        {Array.from({ length: 7 }, (_, i) => (first + i) % 7).map((day) => (
          <ToggleButton key={day} id={String(day)} aria-label={writeWeekday(locale, day)}>
            {writeWeekday(locale, day, 'short')}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </div>
  );
}
