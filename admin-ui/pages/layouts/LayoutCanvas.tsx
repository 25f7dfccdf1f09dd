import { type CSSProperties, type DragEvent, type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Zone } from '../../../shared/contract/content/layouts.ts';
import { toProgramLayout } from '../../../shared/program/from-records.ts';
import type { ProgramItem } from '../../../shared/program/program.ts';
import { announce } from '../../components/controls/announce.ts';
import { useDrag } from '../../components/hooks/useDrag.ts';
import { ScenePicture } from '../../domain/preview/ScenePicture.tsx';
import { useFormat } from '../../i18n/useFormat.ts';
import { type Guides, HANDLES, type Handle, moved, NO_GUIDES, nudged, type Rect, resized } from './canvas.utils.ts';
import { fillOf, type LayoutDraft, rectOf, stacked } from './layout.utils.ts';

type LayoutCanvasProps = {
  draft: LayoutDraft;
  selected: string | null;
  onSelect: (id: string | null) => void;
  /** `kind`: consecutive changes of one kind are undone together. */
  onRect: (id: string, rect: Rect, kind: string) => void;
  onRemove: (id: string) => void;
  onSettle: () => void;
  /** By zone; absent without a preview. */
  items: ReadonlyMap<string, ProgramItem>;
  /** Names of the zones' own contents, by id. */
  names: ReadonlyMap<string, string>;
  isPreview: boolean;
  /** Pixels of the picture in the orientation of its screens. */
  size: { readonly width: number; readonly height: number };
  /** The key that divides a zone was pressed. */
  onDivide: (id: string) => void;
  /** A step to the front (1) or to the back (-1). */
  onRaise: (id: string, by: 1 | -1) => void;
  /** An item of the library is dragged over the picture. Called with the zone where it is dropped. */
  onDrop: ((id: string) => void) | undefined;
  canEdit: boolean;
};

/** Distance at which edges snap together. */
const NEAR_PX = 7;

export function LayoutCanvas({
  draft,
  selected,
  onSelect,
  onRect,
  onRemove,
  onSettle,
  items,
  names,
  isPreview,
  size,
  onDivide,
  onRaise,
  onDrop,
  canEdit,
}: LayoutCanvasProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const board = useRef<HTMLDivElement>(null);
  const [guides, setGuides] = useState<Guides>(NO_GUIDES);
  const zones = stacked(draft.zones);

  const drag = useDrag();

  const press = (event: PointerEvent<HTMLElement>, zone: Zone, handle: Handle | null) => {
    if (!canEdit || event.button !== 0) return;
    onSelect(zone.id);
    const box = board.current!.getBoundingClientRect();
    const start = rectOf(zone);
    const kind = `drag ${zone.id} ${event.timeStamp}`;
    const others = draft.zones.filter((z) => z.id !== zone.id).map(rectOf);
    const snap = { others, nearX: (NEAR_PX / box.width) * 100, nearY: (NEAR_PX / box.height) * 100 };
    drag.press(event, {
      move: ({ dx, dy, altKey }) => {
        const [x, y] = [(dx / box.width) * 100, (dy / box.height) * 100];
        // Alt turns snapping off.
        const free = altKey ? undefined : snap;
        const placed = handle ? resized(start, handle, x, y, free) : moved(start, x, y, free);
        setGuides(placed.guides);
        onRect(zone.id, placed.rect, kind);
      },
      done: () => {
        setGuides(NO_GUIDES);
        onSettle();
      },
    });
  };
  const key = (event: KeyboardEvent<HTMLElement>, zone: Zone) => {
    if (event.key === 'Escape') return onSelect(null);
    if (!canEdit) return;
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      return onRemove(zone.id);
    }
    if (event.key === 'PageUp' || event.key === 'PageDown') {
      event.preventDefault();
      return onRaise(zone.id, event.key === 'PageUp' ? 1 : -1);
    }
    if (event.key.toLowerCase() === 'd' && !event.ctrlKey && !event.metaKey && !event.altKey) return onDivide(zone.id);
    drag.arrow(event, (arrow) => {
      const rect = nudged(rectOf(zone), arrow);
      announce(percents(rect));
      onRect(zone.id, rect, `keys ${zone.id}`);
    });
  };
  const percents = ({ x, y, width, height }: Rect) =>
    t('layout.at', {
      x: format.number(x, 1),
      y: format.number(y, 1),
      width: format.number(width, 1),
      height: format.number(height, 1),
    });
  const shape = toProgramLayout({ ...draft, id: '', zones });
  const held = (zone: Zone) => {
    const fill = fillOf(zone);
    return fill && (names.get(fill.id) ?? '…');
  };
  return (
    <div className="canvas-room" onPointerDown={() => onSelect(null)}>
      <div className="canvas-board" ref={board} style={{ '--aspect': size.width / size.height } as CSSProperties}>
        {isPreview && (
          <ScenePicture
            {...size}
            label={t('common.preview')}
            shown={shape.zones.map((zone) => ({ zone, item: items.get(zone.id) ?? null }))}
          />
        )}
        <ul className={isPreview ? 'canvas-zones see-through' : 'canvas-zones'} aria-label={t('layout.zones')}>
          {zones.map((zone, index) => (
            <li
              key={zone.id}
              className={[
                `canvas-zone tone-${index % 4}`,
                zone.id === selected && 'selected',
                canEdit && 'movable',
                onDrop && 'takes',
              ]
                .filter(Boolean)
                .join(' ')}
              style={{
                left: `${zone.x_percent}%`,
                top: `${zone.y_percent}%`,
                width: `${zone.width_percent}%`,
                height: `${zone.height_percent}%`,
              }}
              {...(onDrop && {
                onDragOver: (event: DragEvent) => event.preventDefault(),
                onDrop: (event: DragEvent) => {
                  event.preventDefault();
                  onDrop(zone.id);
                },
              })}
            >
              <button
                type="button"
                aria-pressed={zone.id === selected}
                aria-label={[
                  `${zone.name} ${held(zone) ?? percents(rectOf(zone))}`,
                  held(zone) && percents(rectOf(zone)),
                ]
                  .filter(Boolean)
                  .join(', ')}
                aria-describedby={canEdit ? 'canvas-hint' : undefined}
                onPointerDown={(event) => press(event, zone, null)}
                onFocus={() => onSelect(zone.id)}
                onKeyDown={(event) => key(event, zone)}
                onBlur={onSettle}
              >
                <span className="zone-label">
                  <strong className="truncate">{zone.name}</strong>{' '}
                  <small>{held(zone) ?? percents(rectOf(zone))}</small>
                </span>
              </button>
              {canEdit &&
                zone.id === selected &&
                HANDLES.map((handle) => (
                  <span
                    key={handle}
                    className={`canvas-handle ${handle}`}
                    onPointerDown={(event) => press(event, zone, handle)}
                  />
                ))}
            </li>
          ))}
        </ul>
        {guides.x.map((x) => (
          <span key={`x${x}`} className="canvas-guide upright" style={{ left: `${x}%` }} />
        ))}
        {guides.y.map((y) => (
          <span key={`y${y}`} className="canvas-guide level" style={{ top: `${y}%` }} />
        ))}
      </div>
      {canEdit && (
        <p id="canvas-hint" className="visually-hidden">
          {t('layout.hint')}
        </p>
      )}
    </div>
  );
}
