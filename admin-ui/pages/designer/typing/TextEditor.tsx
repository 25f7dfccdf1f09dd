import type { EditorView } from 'prosemirror-view';
import {
  type MouseEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { type Brand, paletteOf } from '../../../../shared/design/brand.ts';
import type { Page } from '../../../../shared/design/design.ts';
import type { DrawContext } from '../../../../shared/design/draw/context.ts';
import { stacksOf } from '../../../../shared/design/fonts.ts';
import { FORMAT_SIZES, type PageFormat } from '../../../../shared/design/page-formats.ts';
import { MAX_PARAGRAPHS, MAX_TEXT, plainText, type RichText } from '../../../../shared/design/rich-text.ts';
import { toast } from '../../../components/controls/toasts.ts';
import { useScale } from '../../../components/hooks/useScale.ts';
import { loadFontsOf } from '../../../domain/designs/brandFonts.ts';
import { coveringScale } from '../../../domain/designs/DesignPreview.tsx';
import type { Limit } from './richDoc.ts';
import { TypingToolbar } from './TypingToolbar.tsx';
import {
  drawTextFrame,
  fitFrame,
  openTyping,
  restyle,
  type StartAt,
  showLook,
  showText,
  type TextElement,
  type TextFrame,
} from './typingView.ts';
import './typing.css';

export type TextEditorProps = {
  element: TextElement;
  page: Page;
  brand: Brand;
  format: PageFormat;
  /** The picture of the page, over which the words are typed. */
  board: RefObject<HTMLDivElement | null>;
  /** Point of the window that was pressed; null: the text was opened by a key. */
  pressedAt: { readonly x: number; readonly y: number } | null;
  onText: (text: RichText) => void;
  /** Called with true once the editor shows the words, and with false when it is gone. */
  onShown: (isShown: boolean) => void;
  onClose: () => void;
};

const none = () => undefined;

/** Everything that drawing the words needs. Pictures and icons belong to other elements. */
const contextOf = (brand: Brand, locale: string): DrawContext => ({
  ...{ brand, palette: paletteOf(brand), fonts: stacksOf(brand), locale, timezone: undefined },
  ...{ media: none, icon: none, qr: none, now: Date.now, isAnimated: false },
});

/** Types into a text element in place: the words look as on the screen while they are typed. */
export function TextEditor(props: TextEditorProps) {
  const { element, page, brand, format, board, pressedAt, onText, onShown, onClose } = props;
  const { t, i18n } = useTranslation();
  const { width, height } = FORMAT_SIZES[format];
  const scale = useScale(board, width);
  const host = useRef<HTMLDivElement>(null);
  const frame = useRef<TextFrame>(undefined);
  const [view, setView] = useState<EditorView>();
  // The toolbar shows the look of the selection, which is a state of the editor.
  const [, showState] = useReducer((count: number) => count + 1, 0);
  /** The words as the editor and the document both know them. */
  const known = useRef(element.text);
  const context = useMemo(() => contextOf(brand, i18n.language), [brand, i18n.language]);
  const now = useRef({ element, onText, onShown, onClose });
  now.current = { element, onText, onShown, onClose };

  const showLimit = (limit: Limit) =>
    toast({
      tone: 'note',
      text: t(`designer.text.limit.${limit}`, { max: limit === 'paragraphs' ? MAX_PARAGRAPHS : MAX_TEXT }),
    });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor opens once; the effects below follow changes
  useLayoutEffect(() => {
    const drawn = drawTextFrame(page, element, format, context);
    if (!drawn) return;
    frame.current = drawn;
    host.current!.replaceChildren(drawn.root);
    const isNew = plainText(element.text) === t('designer.new.text');
    const startAt: StartAt = isNew || !pressedAt ? 'all' : pressedAt;
    const opened = openTyping(drawn, {
      ...{ element, context, startAt, label: t('designer.text.typing') },
      onText: (text) => {
        known.current = text;
        now.current.onText(text);
      },
      onState: () => {
        if (frame.current) fitFrame(frame.current, now.current.element);
        showState();
      },
      onLimit: showLimit,
      onEscape: () => now.current.onClose(),
    });
    fitFrame(drawn, element);
    setView(opened);
    now.current.onShown(true);
    return () => {
      opened.destroy();
      now.current.onShown(false);
    };
  }, []);

  const look = JSON.stringify({ ...element, text: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `look` and the page say all that the frame depends on
  useLayoutEffect(() => {
    if (!view || !frame.current) return;
    const next = drawTextFrame(page, element, format, context);
    if (!next) return;
    restyle(frame.current, next);
    frame.current = { ...frame.current, unit: next.unit };
    showLook(view, element, context);
    fitFrame(frame.current, element);
  }, [view, look, page.layout, page.arrangements, format, context]);

  // New words may need a further file of a font, with which they have another size.
  useEffect(() => {
    if (!view) return;
    let isGone = false;
    void loadFontsOf([page], brand).then(() => {
      if (!isGone && frame.current) fitFrame(frame.current, now.current.element);
    });
    return () => {
      isGone = true;
    };
  }, [view, page, brand]);

  useEffect(() => {
    if (!view || element.text === known.current) return;
    known.current = element.text;
    showText(view, element.text);
  }, [view, element.text]);

  /** A press beside the words, but within the element, moves the cursor to the nearest words. */
  const pressBeside = (event: MouseEvent) => {
    if (!view || view.dom.contains(event.target as Node)) return;
    event.preventDefault();
    view.focus();
  };
  return (
    <>
      <div className="text-typing">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the editor inside has the role and the keys */}
        <div
          className="text-typing-page"
          ref={host}
          style={{ width, height, transform: `scale(${coveringScale(scale, width)})` }}
          onMouseDown={pressBeside}
        />
      </div>
      {view && <TypingToolbar view={view} page={page} elementId={element.id} format={format} onClose={onClose} />}
    </>
  );
}
