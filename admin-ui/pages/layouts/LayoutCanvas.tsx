import { type CSSProperties, type DragEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Zone } from '../../../shared/contract/content/layouts.ts';
import { toProgramLayout } from '../../../shared/program/from-records.ts';
import type { ProgramItem } from '../../../shared/program/program.ts';
import { HANDLES } from '../../components/canvas/canvas.utils.ts';
import { ScenePicture } from '../../domain/preview/ScenePicture.tsx';
import { fillOf, rectOf, stacked } from './layout.utils.ts';
import { usePercents, useZoneMoves, type ZoneMoves } from './useZoneMoves.ts';

type LayoutCanvasProps = ZoneMoves & {
  selected: string | null;
  /** By zone; absent without a preview. */
  items: ReadonlyMap<string, ProgramItem>;
  /** Names of the zones' own contents, by id. */
  names: ReadonlyMap<string, string>;
  isPreview: boolean;
  /** Pixels of the picture in the orientation of its screens. */
  size: { readonly width: number; readonly height: number };
  /** An item of the library is dragged over the picture. Called with the zone where it is dropped. */
  onDrop: ((id: string) => void) | undefined;
};

/** The picture of a layout, whose zones are moved and resized with the pointer or with keys. */
export function LayoutCanvas(props: LayoutCanvasProps) {
  const { draft, selected, onSelect, onSettle, items, names, isPreview, size, onDrop, canEdit } = props;
  const { t } = useTranslation();
  const board = useRef<HTMLDivElement>(null);
  const zones = stacked(draft.zones);

  const percents = usePercents();
  const { press, key, guides } = useZoneMoves(board, props);
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
