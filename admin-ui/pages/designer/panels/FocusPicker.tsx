import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type PointerEvent, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { FocalPoint } from '../../../../shared/design/fills.ts';
import { contentQuery, thumbnailOf } from '../../../api/files/content.ts';
import { useImage } from '../../../api/files/useImage.ts';
import { type Arrow, stepOf, useDrag } from '../../../components/hooks/useDrag.ts';

type FocusPickerProps = {
  contentId: string;
  value: FocalPoint;
  onChange: (focus: FocalPoint, kind?: string) => void;
};

const PERCENT = 100;
/** Steps per share: the point is stored in thousandths. */
const PRECISION = 1000;
const share = (value: number): number => Math.round(Math.min(Math.max(value, 0), 1) * PRECISION) / PRECISION;

/** A small picture with a point that stays visible when the picture is cropped. Click, drag or arrow keys move it. */
export function FocusPicker({ contentId, value, onChange }: FocusPickerProps) {
  const { t } = useTranslation();
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const drag = useDrag();
  const { data } = useQuery(contentQuery(contentId));
  const image = useImage((data && thumbnailOf(data.content)) ?? null);
  if (image.status !== 'ready') return null;
  const press = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    const box = frame.current!.getBoundingClientRect();
    const kind = `focus ${event.timeStamp}`;
    const moveTo = (to: { clientX: number; clientY: number }) =>
      onChange({ x: share((to.clientX - box.x) / box.width), y: share((to.clientY - box.y) / box.height) }, kind);
    moveTo(event);
    drag.press(event, { move: moveTo, done: () => {} });
    frame.current!.querySelector('button')?.focus({ preventScroll: true });
  };
  const nudge = (arrow: Arrow) => {
    const step = stepOf(arrow) / PERCENT;
    onChange({ x: share(value.x + arrow.dx * step), y: share(value.y + arrow.dy * step) }, 'focus keys');
  };
  const [x, y] = [value.x, value.y].map((part) => Math.round(part * PERCENT));
  return (
    <div className="field">
      <span className="field-label">{t('designer.media.focus')}</span>
      <div className="focus-picker" ref={frame} onPointerDown={press}>
        <img src={image.src} alt="" draggable={false} />
        <button
          type="button"
          style={{ left: `${x}%`, top: `${y}%` }}
          aria-label={t('designer.media.focusAt', { x, y })}
          aria-describedby={id}
          onKeyDown={(event: KeyboardEvent<HTMLElement>) => drag.arrow(event, nudge)}
        />
      </div>
      <span className="field-hint" id={id}>
        {t('designer.media.focusHint')}
      </span>
    </div>
  );
}
