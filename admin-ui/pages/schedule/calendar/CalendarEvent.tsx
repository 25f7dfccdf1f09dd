import { Repeat, TriangleAlert, Users } from 'lucide-react';
import type { CSSProperties, KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { DAY_MS, dayOf, MINUTE_MS, parseLocal } from '../../../../shared/program/civil.ts';
import { toLocal } from '../../../../shared/program/zones.ts';
import { colourOf } from '../../../domain/screens/planColours.ts';
import { inWords } from '../../../domain/time/words.utils.ts';
import { writeDay, writeTime } from '../../../i18n/civil.ts';
import { useFormat } from '../../../i18n/useFormat.ts';
import { useFreshClass } from '../plan/freshPlan.ts';
import type { Overruled } from '../plan/overruled.utils.ts';
import { canChangeDay, movedBy, type Piece, stretchedBy, type Times } from './calendar.utils.ts';
import type { CalendarDrag } from './useCalendarDrag.ts';

type CalendarEventProps = {
  piece: Piece;
  zone: string;
  /** Day number of the first day in view. */
  first: number;
  name: string;
  /** Name of the group to which the plan belongs; absent for a plan of the screen itself. */
  groupName: string | undefined;
  overruled: readonly Overruled[];
  nameOf: (scheduleId: string) => string;
  drag: CalendarDrag;
  canMove: boolean;
  isDragged: boolean;
  onOpen: () => void;
  onNudge: (times: Times) => void;
};

const NUDGE_MIN = 15;

export function CalendarEvent({
  piece,
  zone,
  first,
  name,
  groupName,
  overruled,
  nameOf,
  drag,
  canMove,
  isDragged,
  onOpen,
  onNudge,
}: CalendarEventProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { schedule } = piece;
  const fresh = useFreshClass(schedule.plan_id);
  const midnight = (first + piece.column) * DAY_MS;
  const minuteOf = (instant: number) => (toLocal(instant, zone) - midnight) / MINUTE_MS;
  const lost = overruled
    .map(({ from, to, by }) => ({
      from: Math.max(piece.from, minuteOf(from)),
      to: Math.min(piece.to, minuteOf(to)),
      by,
    }))
    .filter(({ from, to }) => to > from);
  const time = `${writeTime(format.locale, toLocal(piece.start, zone))} – ${writeTime(format.locale, toLocal(piece.end, zone))}`;
  const shown = name || t('schedule.untitled');
  const beatenBy = [...new Set(lost.map(({ by }) => nameOf(by) || t('schedule.untitled')))];
  const said = [
    shown,
    writeDay(format.locale, dayOf(toLocal(piece.start, zone))),
    time,
    schedule.recurrence !== null &&
      inWords(schedule, dayOf(parseLocal(schedule.start_time)), { t, locale: format.locale }),
    groupName !== undefined && t('schedule.group', { name: groupName }),
    schedule.priority !== 0 && t('schedule.priority', { n: schedule.priority }),
    schedule.enabled === 0 && t('schedule.off'),
    beatenBy.length > 0 && t('schedule.overruled', { name: format.list(beatenBy) }),
  ].filter(Boolean);

  const nudge = (event: KeyboardEvent<HTMLElement>) => {
    if (!canMove || event.shiftKey === event.altKey) return;
    drag.arrow(event, ({ dx: days, dy, altKey }) => {
      const minutes = dy * NUDGE_MIN;
      if (!altKey) return (days === 0 || canChangeDay(schedule)) && onNudge(movedBy(schedule, { days, minutes }));
      if (minutes !== 0) onNudge(stretchedBy(schedule, 'end', minutes));
    });
  };

  const top = (piece.from / 1440) * 100;
  const height = ((piece.to - piece.from) / 1440) * 100;
  const style = {
    '--c': colourOf(schedule),
    top: `${top}%`,
    height: `${height}%`,
    left: `${(piece.lane / piece.lanes) * 100}%`,
    width: `${100 / piece.lanes}%`,
  } as CSSProperties;
  const tall = piece.to - piece.from >= 60;
  const classes = [
    'event',
    schedule.enabled === 0 && 'off',
    isDragged && 'dragged',
    !piece.begins && 'continues',
    !piece.ends && 'goes-on',
    tall && 'tall',
  ]
    .filter(Boolean)
    .join(' ');
  return (
    <li className="event-place" style={style}>
      <button
        type="button"
        className={classes + fresh}
        data-key={piece.key}
        aria-label={said.join(', ')}
        title={said.join('\n')}
        onPointerDown={(event) => canMove && drag.grip(event, piece, 'move')}
        onClick={() => !drag.justDragged.current && onOpen()}
        onKeyDown={nudge}
        {...(canMove && { 'aria-describedby': 'schedule-hint' })}
      >
        {lost.map(({ from, to }) => (
          <span
            key={from}
            className="event-lost"
            style={{
              top: `${((from - piece.from) / (piece.to - piece.from)) * 100}%`,
              height: `${((to - from) / (piece.to - piece.from)) * 100}%`,
            }}
          />
        ))}
        <span className="event-text">
          <strong>{shown}</strong>
          <span className="event-time">{time}</span>
          <span className="event-marks">
            {schedule.recurrence !== null && <Repeat />}
            {groupName !== undefined && <Users />}
            {schedule.priority !== 0 && <b>{format.number(schedule.priority)}</b>}
            {beatenBy.length > 0 && <TriangleAlert />}
          </span>
        </span>
        {canMove && piece.begins && (
          <span className="event-edge start" onPointerDown={(event) => drag.grip(event, piece, 'start')} />
        )}
        {canMove && piece.ends && (
          <span className="event-edge end" onPointerDown={(event) => drag.grip(event, piece, 'end')} />
        )}
      </button>
    </li>
  );
}
