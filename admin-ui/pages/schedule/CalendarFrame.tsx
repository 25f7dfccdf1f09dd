import { CalendarPlus, ChevronLeft, ChevronRight, Lock } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DAY_MS, dayOf, parseLocal } from '../../../shared/program/civil.ts';
import { useHasCampaigns } from '../../api/chain/managed.ts';
import { useCanWrite } from '../../api/session/me.ts';
import { Checkbox, Segments } from '../../components/choices/Choices.tsx';
import { Button, ButtonLink, IconButton } from '../../components/controls/Button.tsx';
import { Page } from '../../components/frame/Page.tsx';
import { newWhen } from '../../domain/time/when.utils.ts';
import { firstWeekday, writeDay, writeDays } from '../../i18n/civil.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';
import { weekStart } from './calendar/calendar.utils.ts';
import { type DraftTarget, newDraft } from './plan/form.utils.ts';
import { FreshPlan, useScrollToFresh } from './plan/freshPlan.ts';
import { PlanEditor } from './plan/PlanEditor.tsx';
import type { usePlanEdits } from './plan/usePlanEdits.ts';
import { ScopePicker } from './ScopePicker.tsx';
import type { Scope } from './scope.utils.ts';
import { type Calendar, useMayPlan, VIEWS } from './useCalendar.ts';

type CalendarFrameProps = {
  calendar: Calendar;
  scope: Scope;
  scopeName: string | undefined;
  edits: ReturnType<typeof usePlanEdits>;
  /** Targets of a new plan. */
  targets: readonly DraftTarget[];
  /** Time zone of a single screen. */
  zone?: string;
  lead: string;
  children: ReactNode;
};

/** Frame of the calendars: choice of screens and days, and the form of a plan. */
export function CalendarFrame({
  calendar,
  scope,
  scopeName,
  edits,
  targets,
  zone = '',
  lead,
  children,
}: CalendarFrameProps) {
  const { t } = useTranslation();
  const canWrite = useCanWrite();
  const mayHere = useMayPlan(scope);
  const hasHeadquarters = useHasCampaigns();
  const { locale, phone, view, span, day, today, go, goTo, search, making, setMaking } = calendar;
  const range = () => {
    if (view === 'day')
      return writeDay(locale, day, { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' });
    if (view === 'month') return writeDay(locale, span.first, { month: 'long', year: 'numeric' });
    return writeDays(locale, span.first, span.first + 6);
  };
  const nextDay = Math.max(day, today);
  const { fresh } = edits;
  useScrollToFresh(fresh?.id);
  const [followed, setFollowed] = useState(fresh);
  useEffect(() => {
    if (!fresh || fresh === followed) return;
    setFollowed(fresh);
    const begins = Math.max(dayOf(parseLocal(fresh.start_time)), today);
    if (begins < span.first || begins >= span.first + span.days) goTo(begins);
  }, [fresh, followed, today, span, goTo]);
  return (
    <Page
      title={t('nav.schedule')}
      lead={lead}
      actions={
        <>
          {hasHeadquarters && (
            <ButtonLink to="/schedule/headquarters" icon={Lock}>
              {t('held.open')}
            </ButtonLink>
          )}
          {canWrite && (
            <Button
              icon={CalendarPlus}
              variant="primary"
              onPress={() => setMaking(newDraft(mayHere ? targets : [], newWhen(nextDay), zone))}
            >
              {t('schedule.new')}
            </Button>
          )}
        </>
      }
    >
      <div className="schedule-bar">
        <ScopePicker scope={scope} name={scopeName} onChange={(next) => go({ for: next, show: undefined })} />
        {!phone && (
          <Segments
            label={t('schedule.view')}
            value={view}
            onChange={(next) => go({ view: next === 'week' ? undefined : next })}
            options={VIEWS.map((value) => ({ value, label: t(`schedule.viewOf.${value}`) }))}
          />
        )}
        {scope.kind !== 'screen' && (
          <Checkbox isSelected={search.planned !== undefined} onChange={(on) => go({ planned: on ? '1' : undefined })}>
            {t('schedule.onlyPlanned')}
          </Checkbox>
        )}
        <div className="schedule-weeks">
          <IconButton icon={ChevronLeft} label={t(`schedule.before.${view}`)} onPress={() => goTo(span.before)} />
          <Button onPress={() => goTo(today)}>{t('schedule.today')}</Button>
          <IconButton icon={ChevronRight} label={t(`schedule.after.${view}`)} onPress={() => goTo(span.after)} />
        </div>
        <strong className="schedule-range" aria-live="polite">
          {range()}
        </strong>
      </div>
      {phone && <DayStrip first={weekStart(day, firstWeekday(locale))} day={day} today={today} onChange={goTo} />}
      <FreshPlan value={fresh?.id}>{children}</FreshPlan>
      {mayHere && (
        <p id="schedule-hint" className="visually-hidden">
          {t('schedule.hint')}
        </p>
      )}
      <PlanEditor
        making={making}
        shown={search.show}
        screenId={scope.kind === 'screen' ? scope.id : undefined}
        edits={edits}
        onClose={() => {
          setMaking(undefined);
          if (search.show !== undefined) go({ show: undefined });
        }}
      />
    </Page>
  );
}

/** The days of a week, on a phone. */
function DayStrip({
  first,
  day,
  today,
  onChange,
}: {
  first: number;
  day: number;
  today: number;
  onChange: (day: number) => void;
}) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  return (
    <nav className="day-strip" aria-label={t('schedule.days')}>
      {Array.from({ length: 7 }, (_, i) => first + i).map((each) => (
        <button
          key={each}
          type="button"
          className={each === today ? 'today' : undefined}
          aria-label={writeDay(locale, each)}
          {...(each === day && { 'aria-current': 'date' as const })}
          onClick={() => onChange(each)}
        >
          <span>{writeDay(locale, each, { weekday: 'narrow' })}</span>
          <b>{new Date(each * DAY_MS).getUTCDate()}</b>
        </button>
      ))}
    </nav>
  );
}
