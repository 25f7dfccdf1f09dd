/** Commands and keys of the text editor. */
import { baseKeymap, chainCommands, splitBlockAs, toggleMark } from 'prosemirror-commands';
import { redo, undo } from 'prosemirror-history';
import type { Node } from 'prosemirror-model';
import { type Command, type EditorState, type Selection, TextSelection } from 'prosemirror-state';
import type { Color } from '../../../../shared/design/fills.ts';
import { attrsOf, type ParagraphAttrs, SWITCHES, type SwitchName, schema } from './richDoc.ts';

/** Returns the paragraphs of the selection with their positions. */
export const selectedParagraphs = ({ doc, selection }: EditorState): { node: Node; pos: number }[] => {
  const found: { node: Node; pos: number }[] = [];
  doc.nodesBetween(selection.from, selection.to, (node, pos) => {
    if (node.isTextblock) found.push({ node, pos });
    return !node.isTextblock;
  });
  return found;
};

/** Changes style or list of the selected paragraphs. */
const changeParagraphs =
  (change: Partial<ParagraphAttrs>): Command =>
  (state, dispatch) => {
    const { tr } = state;
    for (const { node, pos } of selectedParagraphs(state)) tr.setNodeMarkup(pos, null, { ...node.attrs, ...change });
    if (tr.docChanged) dispatch?.(tr);
    return true;
  };

export const setStyle = (style: ParagraphAttrs['style']): Command => changeParagraphs({ style });

/** Makes the selected paragraphs items of a list, or ordinary paragraphs if all are items of this list. */
export const toggleList =
  (list: NonNullable<ParagraphAttrs['list']>): Command =>
  (state, dispatch) => {
    const isOn = selectedParagraphs(state).every(({ node }) => attrsOf(node).list === list);
    return changeParagraphs({ list: isOn ? null : list })(state, dispatch);
  };

export const toggleSwitch = (name: SwitchName): Command => toggleMark(schema.marks[name]!);

/** Colours the selected words, or the words that are typed next. @param color null: the colour of the element */
export const setColor =
  (color: Color | null): Command =>
  (state, dispatch) => {
    const type = schema.marks['color']!;
    const { from, to, empty } = state.selection;
    const { tr } = state;
    if (empty) dispatch?.(color === null ? tr.removeStoredMark(type) : tr.addStoredMark(type.create({ color })));
    else dispatch?.(color === null ? tr.removeMark(from, to, type) : tr.addMark(from, to, type.create({ color })));
    return true;
  };

/** Ends a list at an empty item. */
const leaveList: Command = (state, dispatch) => {
  const { parent } = state.selection.$from;
  if (attrsOf(parent).list === null || parent.content.size > 0) return false;
  return changeParagraphs({ list: null })(state, dispatch);
};

/** Makes an item an ordinary paragraph when Backspace is pressed at its beginning. */
const unlist: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parentOffset > 0 || attrsOf($from.parent).list === null) return false;
  return changeParagraphs({ list: null })(state, dispatch);
};

/** Starts a paragraph of the same style, list and look. */
const splitParagraph: Command = (state, dispatch, view) =>
  splitBlockAs(({ type, attrs }) => ({ type, attrs }))(
    state,
    dispatch && ((tr) => dispatch(tr.ensureMarks(state.storedMarks ?? state.selection.$from.marks()).scrollIntoView())),
    view,
  );

const breakLine: Command = (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(schema.node('line_break')).scrollIntoView());
  return true;
};

/** Returns a selection of all words. The first paragraph keeps its style when they are replaced. */
export const wholeText = (doc: Node): Selection => TextSelection.between(doc.resolve(0), doc.resolve(doc.content.size));

const selectAll: Command = (state, dispatch) => {
  dispatch?.(state.tr.setSelection(wholeText(state.doc)));
  return true;
};

export const typingKeys: Readonly<Record<string, Command>> = {
  ...baseKeymap,
  Enter: chainCommands(leaveList, splitParagraph),
  Backspace: chainCommands(unlist, baseKeymap['Backspace']!),
  'Shift-Enter': breakLine,
  'Mod-Enter': breakLine,
  'Mod-a': selectAll,
  'Mod-b': toggleSwitch('bold'),
  'Mod-i': toggleSwitch('italic'),
  'Mod-u': toggleSwitch('underline'),
  'Mod-Shift-x': toggleSwitch('strike'),
  'Mod-Shift-7': toggleList('number'),
  'Mod-Shift-8': toggleList('bullet'),
  'Mod-z': undo,
  'Mod-Shift-z': redo,
  'Mod-y': redo,
};

/** Look of the selection, as the toolbar shows it. A value is null where the selection has several values. */
export interface Look {
  readonly style: ParagraphAttrs['style'];
  readonly list: ParagraphAttrs['list'];
  readonly color: Color | null;
  readonly on: ReadonlySet<SwitchName>;
}

const common = <T>(values: readonly T[]): T | null =>
  values.length > 0 && values.every((value) => value === values[0]) ? values[0]! : null;

/** Returns the look of the selection. */
export const lookOf = (state: EditorState): Look => {
  const { selection, doc } = state;
  const paragraphs = selectedParagraphs(state).map(({ node }) => attrsOf(node));
  const typed = state.storedMarks ?? selection.$from.marks();
  const isOn = (name: SwitchName): boolean => {
    const type = schema.marks[name]!;
    return selection.empty ? type.isInSet(typed) !== undefined : doc.rangeHasMark(selection.from, selection.to, type);
  };
  const colors: (Color | null)[] = [];
  const colorOf = (marks: readonly Node['marks'][number][]): Color | null =>
    (schema.marks['color']!.isInSet(marks)?.attrs['color'] as Color | undefined) ?? null;
  if (selection.empty) colors.push(colorOf(typed));
  else doc.nodesBetween(selection.from, selection.to, (node) => void (node.isText && colors.push(colorOf(node.marks))));
  return {
    style: common(paragraphs.map(({ style }) => style)),
    list: common(paragraphs.map(({ list }) => list)),
    color: common(colors),
    on: new Set(SWITCHES.filter(isOn)),
  };
};
