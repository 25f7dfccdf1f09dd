import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CalendarGroup, Plan } from '../../../shared/contract/screens/plans.ts';
import { dayOf, formatDate } from '../../../shared/program/civil.ts';
import { groupsQuery } from '../../api/groups.ts';
import { type CalendarView, calendarGroupsQuery, firstOfPlan, groupsOfPlan } from '../../api/plans.ts';
import { ButtonLink } from '../../components/controls/Button.tsx';
import { Bone, Empty, Page } from '../../components/frame/Page.tsx';
import { serverNow } from '../../components/hooks/serverClock.ts';
import { QueryFailure } from '../../domain/records/QueryFailure.tsx';
import { newWhen, type When } from '../../domain/time/when.utils.ts';
import calendarDrawing from '../../drawings/calendar.svg?raw';
import { CalendarFrame } from './CalendarFrame.tsx';
import type { RowsView } from './calendar/CalendarRow.tsx';
import { DayList } from './calendar/DayList.tsx';
import { headAt, keyOf, placeAt, readFolds, type Section, sectionsOf, storeFold } from './calendar/folds.utils.ts';
import { RowsCalendar } from './calendar/RowsCalendar.tsx';
import { DAY_MIN } from './calendar/rows.utils.ts';
import { useRows } from './calendar/useRows.ts';
import type { Sweep } from './calendar/useRowsDrag.ts';
import { type DraftTarget, newDraft } from './plan/form.utils.ts';
import { usePlanEdits } from './plan/usePlanEdits.ts';
import { rowsOf, type Scope } from './scope.utils.ts';
import { ToAllScreens } from './ToAllScreens.tsx';
import { useCalendar, useMayPlan } from './useCalendar.ts';

type ScopeOfMany = Exclude<Scope, { readonly kind: 'screen' }>;
/** The browser's day. The plans themselves follow each screen's own clock. */
const hereAt = (now: number): number => dayOf(now - new Date(now).getTimezoneOffset() * 60_000);

/** Calendar of all screens, or of a group or tag. */
export function ManyScreens({ scope }: { scope: ScopeOfMany }) {
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
    <CalendarFrame
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
    </CalendarFrame>
  );
}

/** Returns the times of a swept area: hours in a day view, otherwise whole days. */
const whenSwept = ({ from, to }: Pick<Sweep, 'from' | 'to'>, view: RowsView, first: number): When => {
  const day = first + Math.floor(from / DAY_MIN);
  if (view === 'day') return newWhen(day, { from: from % DAY_MIN, to: to % DAY_MIN });
  const last = first + Math.ceil(to / DAY_MIN) - 1;
  return { ...newWhen(day), ending: { kind: 'date', date: formatDate(last) } };
};

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
