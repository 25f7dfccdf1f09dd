/** Drag handlers of the month view: move a plan to another day. */
import { type PointerEvent, useRef, useState } from 'react';
import { useDrag } from '../../../components/hooks/useDrag.ts';
import { type Block, DAY_MIN, type Shift, shiftBy } from './rows.utils.ts';
import type { RowsDrag } from './useRowsDrag.ts';

/** Returns the index of the day under the pointer, counted from the first day in view. */
const dayAt = (x: number, y: number): number | undefined => {
  const day = document.elementFromPoint(x, y)?.closest<HTMLElement>('.month-day')?.dataset['day'];
  return day === undefined ? undefined : Number(day);
};

export const useMonthDrag = (onShift: (planId: string, shift: Shift, soon: boolean) => void) => {
  const [over, setOver] = useState<number>();
  const justDragged = useRef(false);
  const drag = useDrag();
  const grip: RowsDrag['grip'] = (event: PointerEvent<HTMLElement>, _, { planId }: Block) => {
    // A touch scrolls instead of dragging. Touch users set exact times in the form.
    if (planId === null || event.button !== 0 || event.pointerType === 'touch') return;
    const from = dayAt(event.clientX, event.clientY);
    if (from === undefined) return;
    let to = from;
    addEventListener('pointerup', () => setTimeout(() => (justDragged.current = false)), { once: true });
    drag.press(event, {
      move: ({ clientX, clientY }) => {
        justDragged.current = true;
        to = dayAt(clientX, clientY) ?? to;
        setOver(to === from ? undefined : to);
      },
      done: () => {
        setOver(undefined);
        if (to !== from) onShift(planId, shiftBy('move', (to - from) * DAY_MIN), true);
      },
      cancelled: () => setOver(undefined),
    });
  };
  return {
    /** Index of the day to which the plan would be moved now. */
    over,
    drag: { grip, justDragged, arrow: drag.arrow } satisfies Pick<RowsDrag, 'grip' | 'justDragged' | 'arrow'>,
  };
};
