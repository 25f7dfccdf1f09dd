/** Drag handlers of the rows: move a plan, move its start or end, or mark empty hours or days for a new plan. */
import { type PointerEvent, useRef, useState } from 'react';
import { useDrag } from '../../../components/hooks/useDrag.ts';
import { snapped } from './calendar.utils.ts';
import { type Block, DAY_MIN, type Grip, limited, type Shift, shiftBy } from './rows.utils.ts';

const STEP_MIN = 15;
/** Step in minutes while Alt is held. */
const FINE_MIN = 5;

/** A marked range of empty time on a screen, in minutes since the first midnight of the view. */
export type Sweep = { readonly deviceId: string; readonly name: string; readonly from: number; readonly to: number };
type Dragged = { readonly deviceId: string; readonly block: Block; readonly shift: Shift };

type Options = {
  days: number;
  /** Called when a plan was moved. `soon`: no further movement follows, so the change is sent soon. */
  onShift: (planId: string, shift: Shift, soon: boolean) => void;
  onSweep: (sweep: Sweep) => void;
};

export const useRowsDrag = ({ days, onShift, onSweep }: Options) => {
  const [dragged, setDragged] = useState<Dragged>();
  const [sweep, setSweep] = useState<Sweep>();
  /** True during a drag, so that the click event at the end of the drag opens nothing. */
  const justDragged = useRef(false);
  const drag = useDrag();
  const begin = () =>
    addEventListener('pointerup', () => setTimeout(() => (justDragged.current = false)), { once: true });
  const minuteAt = (track: DOMRect, clientX: number): number =>
    Math.min(1, Math.max(0, (clientX - track.left) / track.width)) * days * DAY_MIN;
  const trackOf = (event: PointerEvent<HTMLElement>): DOMRect =>
    event.currentTarget.closest('.row-track')!.getBoundingClientRect();
  /** Returns the step in minutes: 15 (or 5 with Alt) in a day view, otherwise a whole day. */
  const stepOf = (altKey: boolean): number => (days > 1 ? DAY_MIN : altKey ? FINE_MIN : STEP_MIN);
  // A touch scrolls instead of dragging. Touch users set exact times in the form.
  const isHeld = (event: PointerEvent<HTMLElement>) => event.button === 0 && event.pointerType !== 'touch';

  return {
    dragged,
    sweep,
    justDragged,
    arrow: drag.arrow,
    grip: (event: PointerEvent<HTMLElement>, deviceId: string, block: Block, grip: Grip) => {
      const { planId } = block;
      if (planId === null || !isHeld(event)) return;
      event.stopPropagation();
      const track = trackOf(event);
      const from = minuteAt(track, event.clientX);
      let last: Shift | undefined;
      begin();
      drag.press(event, {
        move: ({ clientX, altKey }) => {
          justDragged.current = true;
          const minutes = limited(grip, snapped(minuteAt(track, clientX) - from, stepOf(altKey)), block);
          const next = shiftBy(grip, minutes);
          if (last?.start === next.start && last.end === next.end) return;
          last = next;
          setDragged({ deviceId, block, shift: last });
        },
        done: () => {
          setDragged(undefined);
          if (last && (last.start !== 0 || last.end !== 0)) onShift(planId, last, true);
        },
        cancelled: () => setDragged(undefined),
      });
    },
    sweepOver: (event: PointerEvent<HTMLElement>, screen: Pick<Sweep, 'deviceId' | 'name'>) => {
      if (!isHeld(event)) return;
      const track = trackOf(event);
      const pressed = minuteAt(track, event.clientX);
      let last: Sweep | undefined;
      begin();
      drag.press(event, {
        move: ({ clientX, altKey }) => {
          justDragged.current = true;
          const step = stepOf(altKey);
          const to = minuteAt(track, clientX);
          const from = Math.floor(Math.min(pressed, to) / step) * step;
          const end = Math.max(from + step, Math.ceil(Math.max(pressed, to) / step) * step);
          if (last?.from === from && last.to === end) return;
          last = { ...screen, from, to: end };
          setSweep(last);
        },
        done: () => {
          setSweep(undefined);
          if (last) onSweep(last);
        },
        cancelled: () => setSweep(undefined),
      });
    },
    /** Handles a click on an empty hour or day. */
    tap: (event: { currentTarget: HTMLElement; clientX: number }, screen: Pick<Sweep, 'deviceId' | 'name'>) => {
      if (justDragged.current) return;
      const at = minuteAt(event.currentTarget.getBoundingClientRect(), event.clientX);
      const [step, length] = days > 1 ? [DAY_MIN, DAY_MIN] : [30, 60];
      const from = Math.min(days * DAY_MIN - length, Math.floor(at / step) * step);
      onSweep({ ...screen, from, to: from + length });
    },
  };
};
export type RowsDrag = ReturnType<typeof useRowsDrag>;
