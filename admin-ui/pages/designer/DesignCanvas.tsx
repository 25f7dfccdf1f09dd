import {
  type ClipboardEvent,
  type CSSProperties,
  type PointerEvent,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import type { Design } from '../../../shared/design/design.ts';
import { FORMAT_SIZES, type PageFormat } from '../../../shared/design/page-formats.ts';
import { useBrand } from '../../api/brand.ts';
import { HANDLES, type Rect } from '../../components/canvas/canvas.utils.ts';
import { DesignPreview } from '../../domain/designs/DesignPreview.tsx';
import { rectsIn } from './edits.ts';
import { elementName } from './elementName.ts';
import { TextTyping } from './TextTyping.tsx';
import type { DesignEdits } from './useDesignEdits.ts';
import { useElementMoves } from './useElementMoves.ts';
import { useWithoutWords } from './useWithoutWords.ts';

type DesignCanvasProps = {
  edits: DesignEdits;
  design: Design;
  format: PageFormat;
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
export function DesignCanvas({ edits, design, format, canEdit, onSettle }: DesignCanvasProps) {
  const { t } = useTranslation();
  const brand = useBrand();
  const board = useRef<HTMLDivElement>(null);
  const { page, selection, typing } = edits;
  const rects = rectsIn(page, format);
  const moves = useElementMoves(board, { edits, rects, format, canEdit, onSettle });
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
  const onPaste = (event: ClipboardEvent) => {
    if (!canEdit || typing !== null) return;
    event.preventDefault();
    edits.paste(event.clipboardData.getData('text/plain'));
  };
  return (
    <div className="canvas-room" onPointerDown={sweep} onPaste={onPaste}>
      <div
        className="design-board"
        ref={board}
        style={{ '--aspect': width / height } as CSSProperties}
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
                    moves.key(event, element);
                  }}
                  onBlur={onSettle}
                />
                {canEdit &&
                  isSelected &&
                  selection.size === 1 &&
                  typing === null &&
                  HANDLES.map((handle) => (
                    <span
                      key={handle}
                      className={`canvas-handle ${handle}`}
                      onPointerDown={(event) => moves.press(event, element.id, handle)}
                    />
                  ))}
              </li>
            );
          })}
        </ul>
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
