import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { CalendarPlus, ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schedule } from '../../../shared/contract/schedules.ts';
import { DAY_MS, dayOf, formatDate, parseDate } from '../../../shared/program/civil.ts';
import { toLocal } from '../../../shared/program/zones.ts';
import { Button, ButtonLink, IconButton } from '../../components/Button.tsx';
import { Bone, Empty, Page } from '../../components/Page.tsx';
import { Select } from '../../components/Select.tsx';
import { usePhone } from '../../components/useMedia.ts';
import { allSchedulesQuery } from '../../data/schedules.ts';
import { type Target, targetKey, targetOf } from '../../data/targets.ts';
import calendarDrawing from '../../drawings/calendar.svg?raw';
import { firstWeekday, writeDay, writeDays } from '../../i18n/civil.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';
import { blocksInWords } from '../../parts/blocks.utils.ts';
import { QueryFailure } from '../../parts/QueryFailure.tsx';
import { weekStart } from './calendar.utils.ts';
import { bodyOf, type Draft, draftOf, newDraft } from './form.utils.ts';
import { ScheduleDialog } from './ScheduleDialog.tsx';
import './schedule.css';
import type { Span } from './useCalendarDrag.ts';
import { type Targets, useDrawn, useScheduleData, useTargets } from './useScheduleData.ts';
import { useScheduleEdits } from './useScheduleEdits.ts';
import { WeekCalendar } from './WeekCalendar.tsx';

type Search = { for?: string; day?: string; show?: string };
/** Members that are absent stay out of the address. */
const present = (search: { [K in keyof Search]: string | undefined }): Search =>
  Object.fromEntries(Object.entries(search).filter(([, v]) => v !== undefined));

const parsedDate = (text: string | undefined): number | undefined => {
  try {
    return text === undefined ? undefined : parseDate(text);
  } catch {
    return undefined;
  }
};

export function SchedulePage() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/shell/schedule' });
  const targets = useTargets();
  const asked = targetOf(search.for);
  const plans = useQuery({ ...allSchedulesQuery, enabled: asked === undefined });
  if (!targets.isReady && targets.query.isError) return <QueryFailure query={targets.query} />;
  if (!targets.isReady || plans.isLoading) {
    return (
      <Page title={t('nav.schedule')} lead={t('schedule.lead')}>
        <Bone height="32rem" radius="var(--r-xl)" />
      </Page>
    );
  }
  const known = asked && (asked.kind === 'screen' ? targets.screens : targets.groups).some(({ id }) => id === asked.id);
  // Nobody asked for one: rather one that has a plan than an empty week.
  const screen =
    targets.screens.find(({ id }) => plans.data?.some((plan) => plan.device_id === id)) ?? targets.screens[0];
  const [group] = targets.groups;
  const target = known
    ? asked
    : screen
      ? ({ kind: 'screen', id: screen.id } as const)
      : group && ({ kind: 'group', id: group.id } as const);
  if (!target) {
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
  return <Plan key={targetKey(target)} target={target} targets={targets} />;
}

function Plan({ target, targets }: { target: Target; targets: Targets }) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const phone = usePhone();
  const navigate = useNavigate({ from: '/schedule' });
  const search = useSearch({ from: '/shell/schedule' });
  const [now] = useState(Date.now);
  const screen = targets.screens.find((s) => s.id === target.id);
  const own = screen?.timezone;
  const hours = screen && blocksInWords(screen.opening_hours, { t, locale });
  const today = dayOf(own === undefined ? now - new Date(now).getTimezoneOffset() * 60_000 : toLocal(now, own));
  const day = parsedDate(search.day) ?? today;
  const monday = weekStart(day, firstWeekday(locale));
  const [first, columns] = phone ? [day, 1] : [monday, 7];
  const data = useScheduleData(target, first, columns);
  const edits = useScheduleEdits(data.updatedAt);
  const drawn = useDrawn(data, edits.overlay, first, columns);
  const [making, setMaking] = useState<Draft>();
  const { canWrite, zone } = data;

  const go = (change: { for?: string | undefined; day?: string | undefined; show?: string | undefined }) =>
    void navigate({
      search: (now) => present({ ...now, ...change }),
      replace: change.show === undefined && change.for === undefined,
    });
  const goTo = (to: number) => go({ day: to === today ? undefined : formatDate(to) });
  const plan = ({ column, from, to }: Span) => setMaking(newDraft(target, zone, first + column, from, to));
  const nextHour = Math.min(22, new Date(toLocal(now, zone)).getUTCHours() + 1) * 60;

  const shown = search.show === undefined ? undefined : data.find(search.show);
  const draft = making ?? (shown && canWrite ? draftOf(edits.overlay.get(shown.id) ?? shown) : undefined);
  const close = () => {
    setMaking(undefined);
    if (search.show !== undefined) go({ show: undefined });
  };
  const save = (draft: Draft) => {
    const body = bodyOf(draft);
    const name =
      draft.title ||
      data.nameOf({
        title: '',
        playlist_id: null,
        content_id: null,
        widget_id: null,
        layout_id: null,
        ...body,
      } as Schedule) ||
      t('schedule.untitled');
    edits.save.mutate({ id: draft.id, body, name, done: close });
  };
  const groupNameOf = (schedule: Schedule) =>
    target.kind === 'screen' && schedule.group_id !== null
      ? (targets.groups.find((g) => g.id === schedule.group_id)?.name ?? '')
      : undefined;
  return (
    <Page
      title={t('nav.schedule')}
      lead={[
        t('schedule.zoneOf', { zone: zone.replaceAll('_', ' ') }),
        ...(hours ? [t('hours.onAt', { hours })] : []),
      ].join(' · ')}
      actions={
        canWrite && (
          <Button
            icon={CalendarPlus}
            variant="primary"
            onPress={() =>
              plan({ column: Math.min(columns - 1, Math.max(0, day - first)), from: nextHour, to: nextHour + 60 })
            }
          >
            {t('schedule.new')}
          </Button>
        )
      }
    >
      <div className="schedule-bar">
        <Select
          label={t('schedule.whose')}
          hideLabel
          value={targetKey(target)}
          onChange={(key) => go({ for: key, show: undefined })}
          options={[
            ...targets.screens.map((s) => ({ value: targetKey({ kind: 'screen', id: s.id }), label: s.name })),
            ...targets.groups.map((g) => ({
              value: targetKey({ kind: 'group', id: g.id }),
              label: g.name,
              hint: t('schedule.ofGroup'),
            })),
          ]}
        />
        <div className="schedule-weeks">
          <IconButton
            icon={ChevronLeft}
            label={phone ? t('schedule.dayBefore') : t('schedule.before')}
            onPress={() => goTo(phone ? day - 1 : day - 7)}
          />
          <Button onPress={() => goTo(today)}>{t('schedule.today')}</Button>
          <IconButton
            icon={ChevronRight}
            label={phone ? t('schedule.dayAfter') : t('schedule.after')}
            onPress={() => goTo(phone ? day + 1 : day + 7)}
          />
        </div>
        <strong className="schedule-range" aria-live="polite">
          {phone
            ? writeDay(locale, day, { weekday: 'short', day: 'numeric', month: 'long' })
            : writeDays(locale, monday, monday + 6)}
        </strong>
      </div>
      {phone && <DayStrip monday={monday} day={day} today={today} onChange={goTo} />}
      {data.failed && <QueryFailure query={{ error: data.failed.error, refetch: data.retry }} />}
      {!data.failed && (
        <>
          {!data.isPending && drawn.pieces.length === 0 && (
            <p className="schedule-note">
              {canWrite && !phone ? t('schedule.emptyWeek') : t('schedule.emptyWeekRead')}
            </p>
          )}
          <WeekCalendar
            key={columns}
            first={first}
            columns={columns}
            zone={zone}
            hours={screen}
            drawn={drawn}
            nameOf={data.nameOf}
            groupNameOf={groupNameOf}
            canWrite={canWrite}
            onOpen={(schedule) => go({ show: schedule.id })}
            onMove={(schedule, times) =>
              edits.move({ before: schedule, times, name: data.nameOf(schedule) || t('schedule.untitled') })
            }
            onNudge={(schedule, times) => edits.nudge(schedule, times, data.nameOf(schedule) || t('schedule.untitled'))}
            onSpan={plan}
          />
          {canWrite && (
            <p id="schedule-hint" className="visually-hidden">
              {t('schedule.hint')}
            </p>
          )}
        </>
      )}
      {draft && (
        <ScheduleDialog
          key={draft.id ?? 'new'}
          initial={draft}
          targets={targets}
          isPending={edits.save.isPending}
          onSave={save}
          onDelete={() => {
            if (shown) edits.remove(shown, data.nameOf(shown) || t('schedule.untitled'));
            close();
          }}
          onClose={close}
        />
      )}
    </Page>
  );
}

function DayStrip({
  monday,
  day,
  today,
  onChange,
}: {
  monday: number;
  day: number;
  today: number;
  onChange: (day: number) => void;
}) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  return (
    <nav className="day-strip" aria-label={t('schedule.days')}>
      {Array.from({ length: 7 }, (_, i) => monday + i).map((each) => (
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
