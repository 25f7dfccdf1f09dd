/** The editor (ProseMirror) in the drawing of a text element. */
import { history } from 'prosemirror-history';
import { keymap } from 'prosemirror-keymap';
import { Fragment, type Mark, type Node, Slice } from 'prosemirror-model';
import { EditorState, Selection, TextSelection } from 'prosemirror-state';
import { type EditorProps, EditorView } from 'prosemirror-view';
import { boxOfRect } from '../../../../shared/design/box.ts';
import type { Page } from '../../../../shared/design/design.ts';
import type { DrawContext } from '../../../../shared/design/draw/context.ts';
import { drawPage } from '../../../../shared/design/draw/draw-page.ts';
import { fitText } from '../../../../shared/design/draw/fit-text.ts';
import { paragraphsOf } from '../../../../shared/design/draw/text.ts';
import type { Element } from '../../../../shared/design/elements.ts';
import { FORMAT_SIZES, type PageFormat } from '../../../../shared/design/page-formats.ts';
import { layoutOf } from '../../../../shared/design/page-layout.ts';
import { MAX_PARAGRAPHS, MAX_TEXT, type RichText, type TextRun } from '../../../../shared/design/rich-text.ts';
import { preparedHtml } from './pastedHtml.ts';
import {
  attrsOf,
  docOf,
  exceededBy,
  type Limit,
  runOfMarks,
  schema,
  shortened,
  styledLike,
  textOfDoc,
} from './richDoc.ts';
import { typingKeys, wholeText } from './typingCommands.ts';

export type TextElement = Extract<Element, { type: 'text' }>;

/** The drawing of one element without words and background, in place on an empty page. */
export interface TextFrame {
  readonly root: HTMLElement;
  /** Box of the words. Its parent is the area that the words must fit into. */
  readonly content: HTMLElement;
  /** Pixels per unit. */
  readonly unit: number;
}

/** Returns the frame of a text element; undefined: this format does not show the element. */
export const drawTextFrame = (
  page: Page,
  element: TextElement,
  format: PageFormat,
  context: DrawContext,
): TextFrame | undefined => {
  const size = FORMAT_SIZES[format];
  const { placed, unit } = layoutOf(page, size, format);
  const rect = placed.find((one) => one.element.id === element.id)?.rect;
  if (!rect) return undefined;
  const alone: Page = {
    ...page,
    background: { kind: 'none' },
    layout: null,
    elements: [{ ...element, text: [], fill: { kind: 'none' }, shadow: false }],
    arrangements: { [format]: { [element.id]: { box: boxOfRect(rect, size) } } },
  };
  const { root, contentOf } = drawPage(alone, size, context, format);
  const content = contentOf(element.id)!;
  // The page below shows the background. Words that do not fit stay visible on the page while they are typed.
  root.style.background = 'none';
  for (let box = content; box !== root; box = box.parentElement!) box.style.overflow = 'visible';
  // Browsers scroll a box with hidden overflow to the cursor, but not a clipped box.
  root.style.overflow = 'clip';
  return { root, content, unit };
};

/** Gives the boxes of a frame the styles of another frame of the same element. */
export const restyle = (frame: TextFrame, next: TextFrame): void => {
  for (
    let [box, from] = [frame.content, next.content];
    box !== frame.root;
    [box, from] = [box.parentElement!, from.parentElement!]
  )
    box.style.cssText = from.style.cssText;
  frame.root.style.cssText = next.root.style.cssText;
};

/** Makes the words as large as the screen draws them. */
export const fitFrame = ({ content, unit }: TextFrame, { size, overflow }: TextElement): void => {
  if (overflow !== 'shrink') return;
  content.style.overflowWrap = 'normal';
  fitText(content, content.parentElement!, size * unit);
};

/** First paragraph of a drawn text, which has no space above. */
const FIRST = { style: 'title', list: null, runs: [] } as const;

/** Draws paragraphs and runs of the editor with the code that draws them on screens. */
const viewsOf = (
  element: TextElement,
  context: DrawContext,
): Required<Pick<EditorProps, 'nodeViews' | 'markViews'>> => {
  const drawn = (run: TextRun, look: { style: string; list: string | null }): HTMLElement =>
    paragraphsOf({ ...element, text: [{ ...FIRST, runs: [] }, { ...look, runs: [run] } as never] }, context)[1]!;
  const paragraph = (node: Node) => {
    const { style, list } = attrsOf(node);
    const dom = drawn({ text: '' }, { style: style ?? 'title', list });
    if (list === null) {
      dom.replaceChildren();
      return { dom, contentDOM: dom };
    }
    // The style sheet draws the marker, because numbers change with the items above.
    dom.dataset['marker'] = list;
    const contentDOM = dom.lastElementChild as HTMLElement;
    contentDOM.replaceChildren();
    dom.replaceChildren(contentDOM);
    return { dom, contentDOM };
  };
  const run = (mark: Mark) => {
    const dom = drawn({ text: 'x', ...runOfMarks([mark]) }, { style: 'body', list: null }).firstElementChild!;
    dom.replaceChildren();
    return { dom: dom as HTMLElement };
  };
  return {
    nodeViews: { paragraph },
    markViews: Object.fromEntries(Object.keys(schema.marks).map((name) => [name, run])),
  };
};

export const showLook = (view: EditorView, element: TextElement, context: DrawContext): void =>
  view.setProps(viewsOf(element, context));

/** Returns a document of one paragraph per line. */
const sliceOfText = (text: string): Slice => {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n+$/, '').split('\n');
  const nodes = lines.map((line) =>
    schema.node('paragraph', null, line === '' ? [] : [schema.text(line.replace(/[^\P{Cc}\t]/gu, ''))]),
  );
  return new Slice(Fragment.from(nodes), 1, 1);
};

/** Where the first cursor is: all words, or the word at a point of the window. */
export type StartAt = 'all' | { readonly x: number; readonly y: number };

const startSelection = (view: EditorView, at: StartAt): Selection => {
  const { doc } = view.state;
  if (at === 'all') return wholeText(doc);
  const found = view.posAtCoords({ left: at.x, top: at.y });
  return TextSelection.near(doc.resolve(found?.pos ?? doc.content.size), -1);
};

interface TypingOptions {
  readonly element: TextElement;
  readonly context: DrawContext;
  readonly label: string;
  readonly startAt: StartAt;
  /** Called after each change of the words. */
  readonly onText: (text: RichText) => void;
  /** Called after each change of words or selection. */
  readonly onState: () => void;
  readonly onLimit: (limit: Limit) => void;
  readonly onEscape: () => void;
}

/** Returns how many more characters and paragraphs the text may have when the selection is replaced. */
const roomOf = ({ doc, selection }: EditorState): readonly [characters: number, paragraphs: number] => {
  const length = (from: number, to: number): number => doc.textBetween(from, to, '\n', '\n').length;
  let paragraphs = 0;
  doc.nodesBetween(selection.from, selection.to, (node) => {
    if (node.isTextblock) paragraphs++;
    return !node.isTextblock;
  });
  const characters = MAX_TEXT - length(0, doc.content.size) + length(selection.from, selection.to);
  return [characters, MAX_PARAGRAPHS - doc.childCount + paragraphs];
};

/** Opens the editor in the frame, focused. */
export const openTyping = (frame: TextFrame, options: TypingOptions): EditorView => {
  const { element, context, onText, onState, onLimit, onEscape } = options;
  const view: EditorView = new EditorView(
    { mount: frame.content },
    {
      state: EditorState.create({ doc: docOf(element.text), plugins: [history(), keymap(typingKeys)] }),
      ...viewsOf(element, context),
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': options.label },
      dispatchTransaction: (transaction) => {
        const next = view.state.apply(transaction);
        const text = transaction.docChanged ? textOfDoc(next.doc) : undefined;
        const limit = text && exceededBy(text);
        if (limit) return onLimit(limit);
        view.updateState(next);
        if (text && !transaction.getMeta('isOutside')) onText(text);
        return onState();
      },
      handleKeyDown: (_view, event) => {
        if (event.key !== 'Escape' || event.isComposing) return false;
        onEscape();
        return true;
      },
      transformPastedHTML: preparedHtml,
      clipboardTextParser: sliceOfText,
      transformPasted: (slice) => {
        const styled = styledLike(slice, attrsOf(view.state.selection.$from.parent));
        const fitting = shortened(styled, ...roomOf(view.state));
        if (fitting !== styled) onLimit(styled.content.childCount > MAX_PARAGRAPHS ? 'paragraphs' : 'characters');
        return fitting;
      },
      handlePaste: (_view, _event, slice) => pasteParagraphs(view, slice),
    },
  );
  view.dispatch(view.state.tr.setSelection(startSelection(view, options.startAt)));
  view.focus();
  return view;
};

/** Pastes over whole paragraphs, or into an empty one, so that the first pasted paragraph keeps its list. */
const pasteParagraphs = (view: EditorView, slice: Slice): boolean => {
  const { $from, $to } = view.state.selection;
  const isWhole = $from.depth === 1 && $from.parentOffset === 0 && $to.parentOffset === $to.parent.content.size;
  if (!isWhole || !slice.content.firstChild?.isTextblock) return false;
  const { tr } = view.state;
  tr.replaceWith($from.before(), $to.after(), slice.content);
  tr.setSelection(Selection.near(tr.doc.resolve($from.before() + slice.content.size), -1));
  view.dispatch(tr.scrollIntoView().setMeta('paste', true));
  return true;
};

/** Shows words that were changed outside of the editor, for example by the button that undoes. */
export const showText = (view: EditorView, text: RichText): void => {
  const { tr } = view.state;
  tr.replaceWith(0, view.state.doc.content.size, docOf(text).content);
  view.dispatch(tr.setMeta('isOutside', true).setMeta('addToHistory', false));
};
