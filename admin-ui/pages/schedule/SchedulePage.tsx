import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { CalendarPlus, ChevronLeft, ChevronRight, Lock } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../../shared/contract/screens/devices.ts';
import type { CalendarGroup, Plan } from '../../../shared/contract/screens/plans.ts';
import {
  civilOf,
  DAY_MS,
  dayNumber,
  dayOf,
  daysInMonth,
  formatDate,
  parseLocal,
} from '../../../shared/program/civil.ts';
import { toLocal } from '../../../shared/program/zones.ts';
import { useHasCampaigns } from '../../api/chain/managed.ts';
import { groupsQuery } from '../../api/groups.ts';
import { type CalendarView, calendarGroupsQuery, firstOfPlan, groupsOfPlan } from '../../api/plans.ts';
import { screenQuery } from '../../api/screens.ts';
import { useCanWrite, useHasAllScreens } from '../../api/session/me.ts';
import { useHindrances } from '../../api/session/rights.ts';
import { Checkbox, Segments } from '../../components/choices/Choices.tsx';
import { Button, ButtonLink, IconButton } from '../../components/controls/Button.tsx';
import { Bone, Empty, Page } from '../../components/frame/Page.tsx';
import { serverNow } from '../../components/hooks/serverClock.ts';
import { usePhone } from '../../components/hooks/useMedia.ts';
import { QueryFailure, Unanswered } from '../../domain/records/QueryFailure.tsx';
import { blocksInWords } from '../../domain/time/blocks.utils.ts';
import calendarDrawing from '../../drawings/calendar.svg?raw';
import { firstWeekday, writeDay, writeDays } from '../../i18n/civil.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';
import { weekStart } from './calendar/calendar.utils.ts';
import { DayList } from './calendar/DayList.tsx';
import { headAt, keyOf, placeAt, readFolds, type Section, sectionsOf, storeFold } from './calendar/folds.utils.ts';
import { MonthCalendar } from './calendar/MonthCalendar.tsx';
import { RowsCalendar, type RowsView } from './calendar/RowsCalendar.tsx';
import { DAY_MIN } from './calendar/rows.utils.ts';
import { type Draft, type DraftTarget, newDraft } from './plan/form.utils.ts';
import { FreshPlan, useScrollToFresh } from './plan/freshPlan.ts';
import { PlanEditor } from './plan/PlanEditor.tsx';
import { ScopePicker } from './ScopePicker.tsx';
import './schedule.css';
import { dayOfText, newWhen, type When } from '../../domain/time/when.utils.ts';
import { useRows } from './calendar/useRows.ts';
import type { Sweep } from './calendar/useRowsDrag.ts';
import { WeekCalendar } from './calendar/WeekCalendar.tsx';
import { usePlanEdits } from './plan/usePlanEdits.ts';
import { rowsOf, type Scope, scopeOf } from './scope.utils.ts';
import { useDrawn, useScheduleData } from './useScheduleData.ts';

type Search = { for?: string; day?: string; show?: string; view?: string; planned?: string };
type Change = { [K in keyof Search]?: string | undefined };
/** Leaves absent values out of the address. */
const present = (search: Change): Search =>
  Object.fromEntries(Object.entries(search).filter(([, v]) => v !== undefined && v !== ''));

type ScopeOfMany = Exclude<Scope, { readonly kind: 'screen' }>;
const VIEWS: readonly RowsView[] = ['day', 'week', 'month'];
/** The browser's day. The plans themselves follow each screen's own clock. */
const hereAt = (now: number): number => dayOf(now - new Date(now).getTimezoneOffset() * 60_000);

/** Returns the days of a view around `day`, and the first days of the previous and the next view. */
const spanIn = (view: RowsView, day: number, locale: string) => {
  if (view === 'day') return { first: day, days: 1, before: day - 1, after: day + 1 };
  if (view === 'week') {
    const first = weekStart(day, firstWeekday(locale));
    return { first, days: 7, before: day - 7, after: day + 7 };
  }
  const { year, month } = civilOf(day);
  return {
    first: dayNumber(year, month, 1),
    days: daysInMonth(year, month),
    before: dayNumber(year, month - 1, 1),
    after: dayNumber(year, month + 1, 1),
  };
};

export function SchedulePage() {
  const search = useSearch({ from: '/shell/schedule' });
  const scope = scopeOf(search.for);
  const screen = useQuery({
    ...screenQuery(scope.kind === 'screen' ? scope.id : ''),
    enabled: scope.kind === 'screen',
  });
  const { t } = useTranslation();
  if (scope.kind !== 'screen') return <ManyScreens key={search.for} scope={scope} />;
  if (screen.data) return <OneScreen key={scope.id} screen={screen.data.screen} />;
  return (
    <Page title={t('nav.schedule')}>
      <Unanswered query={screen} bones={<Bone height="32rem" radius="var(--r-xl)" />} whenGone={<ToAllScreens />} />
    </Page>
  );
}

/** The screen or group in the address no longer exists. */
function ToAllScreens() {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/schedule' });
  return (
    <Button onPress={() => void navigate({ search: ({ for: _, ...now }) => now, replace: true })}>
      {t('find.allScreens')}
    </Button>
  );
}

/** Common state of both calendars: the address, the days, the new plan. */
const useCalendar = (today: number) => {
  const locale = useLocaleTag();
  const phone = usePhone();
  const navigate = useNavigate({ from: '/schedule' });
  const search = useSearch({ from: '/shell/schedule' });
  const [making, setMaking] = useState<Draft>();
  const view = phone ? 'day' : (VIEWS.find((one) => one === search.view) ?? 'week');
  const day = dayOfText(search.day ?? '') ?? today;
  const go = (change: Change) =>
    void navigate({
      search: (now) => present({ ...now, ...change }),
      replace: change.show === undefined && change.for === undefined,
    });
  return {
    locale,
    phone,
    search,
    view,
    day,
    today,
    span: spanIn(view, day, locale),
    go,
    goTo: (to: number) => go({ day: to === today ? undefined : formatDate(to) }),
    making,
    setMaking,
  };
};
type Calendar = ReturnType<typeof useCalendar>;

/** Returns the times of a swept area: hours in a day view, otherwise whole days. */
const whenSwept = ({ from, to }: Pick<Sweep, 'from' | 'to'>, view: RowsView, first: number): When => {
  const day = first + Math.floor(from / DAY_MIN);
  if (view === 'day') return newWhen(day, { from: from % DAY_MIN, to: to % DAY_MIN });
  const last = first + Math.ceil(to / DAY_MIN) - 1;
  return { ...newWhen(day), ending: { kind: 'date', date: formatDate(last) } };
};

/**
 * Whether the user may plan for the shown screens. Users with rights for some groups plan for these and their screens,
 * not for all at once.
 */
const useMayPlan = (scope: Scope): boolean => {
  const isNamed = scope.kind === 'screen' || scope.kind === 'group';
  const hindrances = useHindrances(scope.kind === 'group' ? 'group' : 'screen', isNamed ? [scope.id] : []);
  const canWrite = useCanWrite();
  const hasAll = useHasAllScreens();
  return isNamed ? canWrite && hindrances?.length === 0 : hasAll;
};

/** Calendar of all screens, or of a group or tag. */
function ManyScreens({ scope }: { scope: ScopeOfMany }) {
  const { t } = useTranslation();
  const canWrite = useMayPlan(scope);
  const [now] = useState(serverNow);
  const calendar = useCalendar(hereAt(now));
  const { view, span, phone } = calendar;
  const planned = calendar.search.planned !== undefined;
  const wanted: CalendarView = {
    ...rowsOf(scope),
    from: formatDate(span.first),
    days: span.days,
    ...(planned && { planned: 'true' }),
  };
  const found = useQuery({ ...calendarGroupsQuery(wanted), enabled: scope.kind === 'all' });
  const [folds, setFolds] = useState(readFolds);
  const sections = useMemo(
    () =>
      scope.kind === 'all' && found.data?.groups.some(({ group_id }) => group_id !== null)
        ? sectionsOf(found.data.groups, found.data.screens, folds)
        : undefined,
    [scope.kind, found.data, folds],
  );
  const onFold = (group: CalendarGroup, isOpen: boolean) => setFolds((now) => storeFold(now, keyOf(group), isOpen));
  const flat = useRows(wanted, sections);
  // The groups decide whether the rows can be folded.
  const rows = { ...flat, isPending: flat.isPending || (scope.kind === 'all' && found.isPending) };
  const edits = usePlanEdits(0);
  const goal = useGoal(edits.fresh, wanted, sections);
  const groups = useQuery({ ...groupsQuery, enabled: scope.kind === 'group' }).data;
  const own: DraftTarget[] =
    scope.kind === 'all'
      ? []
      : [
          {
            kind: scope.kind,
            id: scope.id,
            name: scope.kind === 'tag' ? scope.id : (groups?.find(({ id }) => id === scope.id)?.name ?? ''),
          },
        ];
  const open = (planId: string) => calendar.go({ show: planId });
  const nobody = !rows.isPending && !rows.failed && rows.total === 0;
  if (nobody && scope.kind === 'all' && !planned) return <NoScreens />;
  return (
    <Frame
      calendar={calendar}
      scope={scope}
      scopeName={own[0]?.name}
      edits={edits}
      targets={own}
      lead={own[0]?.name ?? t('schedule.lead')}
    >
      {rows.failed && (
        <QueryFailure query={{ error: rows.failed.error, refetch: rows.retry }} whenGone={<ToAllScreens />} />
      )}
      {nobody && <p className="schedule-note">{t(planned ? 'schedule.nonePlanned' : 'schedule.noneFound')}</p>}
      {rows.isPending && <Bone height="32rem" radius="var(--r-xl)" />}
      {!rows.isPending && !nobody && !rows.failed && phone && (
        <DayList rows={rows} first={span.first} onOpen={open} onFold={onFold} />
      )}
      {!rows.isPending && !nobody && !rows.failed && !phone && (
        <RowsCalendar
          key={`${view} ${span.first}`}
          rows={rows}
          screens={sections ? (found.data?.screens ?? 0) : rows.total}
          onFold={onFold}
          view={view}
          first={span.first}
          days={span.days}
          canWrite={canWrite}
          moved={edits.shifts}
          goal={goal}
          onOpen={open}
          onShift={edits.shift}
          onSweep={({ deviceId, name, ...swept }) =>
            calendar.setMaking(newDraft([{ kind: 'device', id: deviceId, name }], whenSwept(swept, view, span.first)))
          }
        />
      )}
    </Frame>
  );
}

/** Returns the index of the first row of a plan. In a folding calendar, returns at least the head of its group. */
const rowOfPlan = async (
  view: CalendarView,
  sections: readonly Section[] | undefined,
  planId: string,
): Promise<number | undefined> => {
  if (!sections) return firstOfPlan(view, planId);
  const [group] = await groupsOfPlan(view, planId);
  const head = group && headAt(sections, group.group_id);
  if (!group || head === undefined || placeAt(sections, head)?.section.isOpen !== true) return head;
  const within = group.group_id === null ? { ungrouped: 'true' as const } : { group_id: group.group_id };
  const nth = await firstOfPlan({ ...view, ...within }, planId);
  return nth === undefined ? head : head + 1 + nth;
};

/** Returns the index of the first row of a new plan as soon as it is known. */
const useGoal = (
  fresh: Plan | undefined,
  view: CalendarView,
  sections: readonly Section[] | undefined,
): number | undefined => {
  const [goal, setGoal] = useState<number>();
  const asked = JSON.stringify(view);
  const latest = useRef(sections);
  latest.current = sections;
  useEffect(() => {
    setGoal(undefined);
    if (!fresh) return;
    let isWanted = true;
    rowOfPlan(JSON.parse(asked), latest.current, fresh.id).then(
      (index) => isWanted && setGoal(index),
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [fresh, asked]);
  return goal;
};

function NoScreens() {
  const { t } = useTranslation();
  return (
    <Page title={t('nav.schedule')}>
      <Empty
        drawing={calendarDrawing}
        title={t('schedule.emptyTitle')}
        actions={
          <ButtonLink to="/screens" variant="primary">
            {t('app.toScreens')}
          </ButtonLink>
        }
      >
        {t('schedule.emptyHelp')}
      </Empty>
    </Page>
  );
}

/** One screen: its days by the hour, or its month. */
function OneScreen({ screen }: { screen: Device }) {
  const { t } = useTranslation();
  const [now] = useState(serverNow);
  const calendar = useCalendar(dayOf(toLocal(now, screen.timezone)));
  const { locale, phone, view } = calendar;
  const hours = blocksInWords(screen.opening_hours, { t, locale });
  const lead = [
    screen.name,
    t('schedule.zoneOf', { zone: screen.timezone.replaceAll('_', ' ') }),
    ...(hours ? [t('hours.onAt', { hours })] : []),
  ].join(' · ');
  const scope: Scope = { kind: 'screen', id: screen.id };
  const props = { calendar, screen, scope, lead };
  return phone || view === 'month' ? <ScreenDays {...props} /> : <ScreenHours {...props} />;
}

type OneProps = { calendar: Calendar; screen: Device; scope: Scope; lead: string };

/** Rows with a single screen: on a phone the list of a day, otherwise a month by weeks. */
function ScreenDays({ calendar, screen, scope, lead }: OneProps) {
  const canWrite = useMayPlan(scope);
  const { locale, phone, span, today } = calendar;
  const first = phone ? span.first : weekStart(span.first, firstWeekday(locale));
  const days = phone ? 1 : Math.ceil((span.first + span.days - first) / 7) * 7;
  const rows = useRows({ device_id: screen.id, from: formatDate(first), days });
  const edits = usePlanEdits(0);
  const own: DraftTarget[] = [{ kind: 'device', id: screen.id, name: screen.name }];
  const open = (planId: string) => calendar.go({ show: planId });
  return (
    <Frame
      calendar={calendar}
      scope={scope}
      scopeName={screen.name}
      edits={edits}
      targets={own}
      lead={lead}
      zone={screen.timezone}
    >
      {rows.failed && <QueryFailure query={{ error: rows.failed.error, refetch: rows.retry }} />}
      {!rows.failed && phone && <DayList rows={rows} first={first} onOpen={open} />}
      {!rows.failed && !phone && (
        <MonthCalendar
          row={rows.row(0)}
          first={first}
          days={days}
          month={civilOf(span.first).month}
          today={today}
          canWrite={canWrite}
          moved={edits.shifts}
          onShift={edits.shift}
          onOpen={open}
          onDay={(day) => calendar.go({ view: 'day', day: formatDate(day) })}
          onPlan={(day) => calendar.setMaking(newDraft(own, newWhen(day), screen.timezone))}
        />
      )}
    </Frame>
  );
}

function ScreenHours({ calendar, screen, scope, lead }: OneProps) {
  const { t } = useTranslation();
  const canWrite = useMayPlan(scope);
  const { first, days } = calendar.span;
  const data = useScheduleData(screen, first, days);
  const edits = usePlanEdits(data.updatedAt);
  const drawn = useDrawn(data, edits.overlay, first, days);
  const groups = useQuery(groupsQuery).data;
  const gaps = useRows({ device_id: screen.id, from: formatDate(first), days });
  const own: DraftTarget[] = [{ kind: 'device', id: screen.id, name: screen.name }];
  return (
    <Frame
      calendar={calendar}
      scope={scope}
      scopeName={screen.name}
      edits={edits}
      targets={own}
      lead={lead}
      zone={screen.timezone}
    >
      {data.failed && <QueryFailure query={{ error: data.failed.error, refetch: data.retry }} />}
      {!data.failed && (
        <>
          {!data.isPending && drawn.pieces.length === 0 && (
            <p className="schedule-note">{t(canWrite ? 'schedule.emptyWeek' : 'schedule.emptyWeekRead')}</p>
          )}
          <WeekCalendar
            key={days}
            first={first}
            columns={days}
            zone={data.zone}
            hours={screen}
            row={gaps.row(0)}
            drawn={drawn}
            nameOf={data.nameOf}
            groupNameOf={({ group_id }) =>
              group_id === null ? undefined : (groups?.find(({ id }) => id === group_id)?.name ?? '')
            }
            canWrite={canWrite}
            onOpen={(schedule) => calendar.go({ show: schedule.plan_id ?? schedule.id })}
            onMove={edits.move}
            onNudge={edits.nudge}
            onSpan={({ column, from, to }) =>
              calendar.setMaking(newDraft(own, newWhen(first + column, { from, to }), data.zone))
            }
          />
        </>
      )}
    </Frame>
  );
}

type FrameProps = {
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
function Frame({ calendar, scope, scopeName, edits, targets, zone = '', lead, children }: FrameProps) {
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
