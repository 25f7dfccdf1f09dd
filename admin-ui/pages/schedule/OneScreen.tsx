import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../../shared/contract/screens/devices.ts';
import { civilOf, dayOf, formatDate } from '../../../shared/program/civil.ts';
import { toLocal } from '../../../shared/program/zones.ts';
import { groupsQuery } from '../../api/groups.ts';
import { serverNow } from '../../components/hooks/serverClock.ts';
import { QueryFailure } from '../../domain/records/QueryFailure.tsx';
import { blocksInWords } from '../../domain/time/blocks.utils.ts';
import { newWhen } from '../../domain/time/when.utils.ts';
import { firstWeekday } from '../../i18n/civil.ts';
import { CalendarFrame } from './CalendarFrame.tsx';
import { weekStart } from './calendar/calendar.utils.ts';
import { DayList } from './calendar/DayList.tsx';
import { MonthCalendar } from './calendar/MonthCalendar.tsx';
import { useRows } from './calendar/useRows.ts';
import { WeekCalendar } from './calendar/WeekCalendar.tsx';
import { type DraftTarget, newDraft } from './plan/form.utils.ts';
import { usePlanEdits } from './plan/usePlanEdits.ts';
import type { Scope } from './scope.utils.ts';
import { type Calendar, useCalendar, useMayPlan } from './useCalendar.ts';
import { useDrawn, useScheduleData } from './useScheduleData.ts';

/** One screen: its days by the hour, or its month. */
export function OneScreen({ screen }: { screen: Device }) {
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
    <CalendarFrame
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
    </CalendarFrame>
  );
}

/** A day or a week of the screen by the hour. */
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
    <CalendarFrame
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
    </CalendarFrame>
  );
}
