import {
  type CSSProperties,
  type PointerEvent,
  type RefObject,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import type { Design } from '../../../shared/design/design.ts';
import type { Element } from '../../../shared/design/elements.ts';
import { FORMAT_SIZES, type PageFormat } from '../../../shared/design/page-formats.ts';
import { useBrand } from '../../api/brand.ts';
import { HANDLES, type Rect } from '../../components/canvas/canvas.utils.ts';
import { DesignPreview } from '../../domain/designs/DesignPreview.tsx';
import { around, rectsIn } from './edits.ts';
import { elementName } from './elementName.ts';
import { TextTyping } from './TextTyping.tsx';
import type { CanvasZoom } from './useCanvasZoom.ts';
import type { DesignEdits } from './useDesignEdits.ts';
import { useDroppedFiles } from './useDroppedFiles.ts';
import { useElementMoves } from './useElementMoves.ts';
import { useWithoutWords } from './useWithoutWords.ts';

type DesignCanvasProps = {
  edits: DesignEdits;
  design: Design;
  format: PageFormat;
  zoom: CanvasZoom;
  /** The scrolled frame of the page, and the page. */
  room: RefObject<HTMLDivElement | null>;
  board: RefObject<HTMLDivElement | null>;
  canEdit: boolean;
  /** Makes the next change an undo step of its own. */
  onSettle: () => void;
};

const percents = ({ x, y, width, height }: Rect): CSSProperties => ({
  left: `${x}%`,
  top: `${y}%`,
  width: `${width}%`,
  height: `${height}%`,
});

/**
 * The page as screens show it, with a button over each element: to select, move, resize and type with the pointer or
 * with keys.
 */
export function DesignCanvas({ edits, design, format, zoom, room, board, canEdit, onSettle }: DesignCanvasProps) {
  const { t } = useTranslation();
  const brand = useBrand();
  const { page, selection, typing } = edits;
  const rects = rectsIn(page, format);
  const moves = useElementMoves(board, { edits, rects, format, canEdit, onSettle });
  useDroppedFiles({ room, board, edits, format, canEdit });
  const { width, height } = FORMAT_SIZES[format];
  const [marquee, setMarquee] = useState<Rect>();
  const typed = page.elements.find(({ id }) => id === typing);
  /** Point of the double click that opened a text; null: a key opened it. */
  const pressedAt = useRef<{ x: number; y: number }>(null);
  /** Text whose words the editor shows in place of the drawing. */
  const [shownTyping, setShownTyping] = useState<string | null>(null);
  // Drawn when the browser has time, so that keys and drags do not wait for the drawing of a large page.
  const shown = useDeferredValue(useMemo(() => ({ design, at: edits.at }), [design, edits.at]));
  const drawn = useWithoutWords(shown.design, shown.at, shownTyping);
  const closeTyping = () => {
    edits.type(null);
    board.current?.querySelector<HTMLElement>('.design-element.selected > button')?.focus();
  };
  const sweep = (event: PointerEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget) return;
    moves.sweep(event, setMarquee);
  };
  const selected = [...selection].flatMap((id) => rects.get(id) ?? []);
  const frame = selected.length > 1 ? around(selected) : undefined;
  useVisibleSelection(board, zoom, selected[0]);
  useFreshFocus(board, edits);
  return (
    <div
      className={zoom.zoom === 'fit' ? 'canvas-room design-room' : 'canvas-room design-room zoomed'}
      ref={room}
      onPointerDown={sweep}
    >
      <div
        className="design-board"
        ref={board}
        style={
          {
            '--aspect': width / height,
            ...(zoom.zoom !== 'fit' && { width: `${width * zoom.zoom}px` }),
          } as CSSProperties
        }
        data-typing={typing ?? undefined}
      >
        <DesignPreview design={drawn} page={shown.at} size={format} brand={brand} label="" />
        {/* Elements are listed from back to front, so that the front one gets the click. */}
        <ul className="design-elements" aria-label={t('designer.elements')} onPointerDown={sweep}>
          {page.elements.map((element) => {
            const rect = rects.get(element.id);
            if (!rect) return null;
            const isSelected = selection.has(element.id);
            return (
              <li
                key={element.id}
                data-element={element.id}
                className={isSelected ? 'design-element selected' : 'design-element'}
                style={{ ...percents(rect), ...(element.rotation !== 0 && { rotate: `${element.rotation}deg` }) }}
              >
                <button
                  type="button"
                  aria-pressed={isSelected}
                  aria-label={elementName(element, t)}
                  aria-describedby={canEdit ? 'design-hint' : undefined}
                  onPointerDown={(event) => moves.press(event, element.id, null)}
                  onFocus={(event) => {
                    // Focus by Tab selects; a press selects by itself, with its modifier keys.
                    if (event.currentTarget.matches(':focus-visible') && !isSelected) edits.select(element.id);
                  }}
                  onDoubleClick={({ clientX, clientY }) => {
                    if (!canEdit || element.type !== 'text') return;
                    pressedAt.current = { x: clientX, y: clientY };
                    edits.type(element.id);
                  }}
                  onKeyDown={(event) => {
                    pressedAt.current = null;
                    if (!zoom.key(event)) moves.key(event, element);
                  }}
                  onBlur={onSettle}
                />
                {canEdit && isSelected && selection.size === 1 && typing === null && (
                  <Handles element={element} rect={rect} format={format} moves={moves} />
                )}
              </li>
            );
          })}
        </ul>
        {frame && <span className="selection-frame" style={percents(frame)} />}
        {canEdit && typed?.type === 'text' && rects.has(typed.id) && (
          <TextTyping
            key={typed.id}
            element={typed}
            {...{ page, brand, format, board }}
            pressedAt={pressedAt.current}
            onText={(text) => edits.onElement<typeof typed>(typed.id, (now) => ({ ...now, text }), 'typing')}
            onShown={(isShown) => {
              setShownTyping(isShown ? typed.id : null);
              if (isShown) return;
              pressedAt.current = null;
              onSettle();
            }}
            onClose={closeTyping}
          />
        )}
        {marquee && <span className="design-marquee" style={percents(marquee)} />}
        {moves.guides.x.map((x) => (
          <span key={`x${x}`} className="canvas-guide upright" style={{ left: `${x}%` }} />
        ))}
        {moves.guides.y.map((y) => (
          <span key={`y${y}`} className="canvas-guide level" style={{ top: `${y}%` }} />
        ))}
      </div>
      {canEdit && (
        <p id="design-hint" className="visually-hidden">
          {t('designer.hint')}
        </p>
      )}
    </div>
  );
}

type HandlesProps = {
  element: Element;
  rect: Rect;
  format: PageFormat;
  moves: ReturnType<typeof useElementMoves>;
};

/** Handles that resize an element with the pointer. A line has a handle at each end, which turns the line as well. */
function Handles({ element, rect, format, moves }: HandlesProps) {
  if (element.type === 'shape' && element.shape === 'line') {
    const { width, height } = FORMAT_SIZES[format];
    const isUpright = rect.height * height > rect.width * width;
    return (['0', '1'] as const).map((end) => (
      <span
        key={end}
        className={`canvas-handle line-end ${isUpright ? 'upright' : 'level'} end-${end}`}
        onPointerDown={(event) => moves.pressEnd(event, element, end === '0' ? 0 : 1)}
      />
    ));
  }
  return HANDLES.map((handle) => (
    <span
      key={handle}
      className={`canvas-handle ${handle}`}
      onPointerDown={(event) => moves.press(event, element.id, handle)}
    />
  ));
}

/** Scrolls a zoomed page so that the selected element is visible after it was selected or moved. */
const useVisibleSelection = (
  board: RefObject<HTMLDivElement | null>,
  { zoom }: CanvasZoom,
  rect: Rect | undefined,
): void => {
  const place = rect && `${rect.x} ${rect.y}`;
  // A change of the zoom alone keeps the point below the pointer instead.
  const isZoomed = useRef(false);
  isZoomed.current = zoom !== 'fit';
  useEffect(() => {
    if (!isZoomed.current || place === undefined) return;
    const found = board.current?.querySelector('.design-element.selected');
    // While the pointer moves the element, the page must not move below it.
    if (found && !found.matches(':active')) found.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [board, place]);
};

/**
 * Milliseconds after which a new element gets the focus. The menu in which it was chosen has given the focus back to
 * its button by then.
 */
const SETTLES_MS = 100;

/** Focuses the button of a new element, so that keys move it at once, or the words of a new text. */
const useFreshFocus = (board: RefObject<HTMLDivElement | null>, { fresh }: DesignEdits): void => {
  useEffect(() => {
    if (!fresh) return;
    const timer = setTimeout(() => {
      const find = (selector: string) => board.current?.querySelector<HTMLElement>(selector);
      (find('[role=textbox]') ?? find(`[data-element="${fresh.id}"] > button`))?.focus();
    }, SETTLES_MS);
    return () => clearTimeout(timer);
  }, [board, fresh]);
};
