import { ArrowDown, ArrowUp, GripVertical, Heading, Plus, StickyNote, Trash2 } from 'lucide-react';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  memo,
  type PointerEvent,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_ROWS } from '../../../../shared/design/elements.ts';
import { MenuItem, RowMenu } from '../../../components/choices/Menu.tsx';
import { announce } from '../../../components/controls/announce.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { toast } from '../../../components/controls/toasts.ts';
import { useDrag } from '../../../components/hooks/useDrag.ts';
import './table.css';
import {
  type Column,
  cellOf,
  isEmptyRow,
  isTableText,
  MAX_CELL,
  type Row,
  type TableElement,
  withCell,
  withMovedRow,
  withNewRow,
  withoutRow,
  withPasted,
  withRow,
} from './tableEdits.ts';

type TableGridProps = {
  element: TableElement;
  /** Consecutive changes of one `kind` are undone together. */
  change: (values: Partial<TableElement>, kind?: string) => void;
  canEdit: boolean;
};

/** Column of the note in the grid. */
const NOTE = -1;

/** Returns whether the rows are the examples of a new table. */
const isSample = (rows: readonly Row[], nameOf: (n: number) => string): boolean =>
  rows.length > 0 && rows.every((row, i) => cellOf(row, 0) === nameOf(i + 1));

/** The rows of a table, as a grid of fields with the keys of a spreadsheet. */
export function TableGrid({ element, change, canEdit }: TableGridProps) {
  const { t } = useTranslation();
  const { rows, columns } = element;
  const body = useRef<HTMLTableSectionElement>(null);
  const drag = useDrag();
  /** Place between rows at which a dragged row would be inserted. */
  const [dropAt, setDropAt] = useState<number>();
  /** Row whose empty note is shown. */
  const [noted, setNoted] = useState<number>();
  /** Cell that gets the focus after the next change. */
  const focus = useRef<readonly [row: number, column: number]>(undefined);
  /** Column in which Enter continues: the one that was entered other than by Tab. */
  const anchor = useRef({ column: 0, isByTab: false });

  const focusCell = (row: number, column: number) =>
    body.current?.querySelector<HTMLInputElement>(`[data-cell="${row}:${column}"]`)?.focus();
  useLayoutEffect(() => {
    if (!focus.current) return;
    const [row, column] = focus.current;
    focus.current = undefined;
    const found = body.current?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`);
    (found ?? body.current?.querySelector<HTMLElement>(`[data-cell="${row}:0"]`))?.focus();
  });

  const setRows = (next: Row[], kind?: string) => change({ rows: next }, kind);
  const add = (at: number, column = 0) => {
    if (rows.length >= MAX_ROWS) {
      toast({ tone: 'note', text: t('designer.table.full', { max: MAX_ROWS }) });
      return;
    }
    focus.current = [at, column];
    setRows(withNewRow(rows, at));
  };
  const remove = (at: number) => {
    focus.current = [Math.max(at - 1, 0), 0];
    setRows(withoutRow(rows, at));
  };
  const move = (from: number, to: number, column: number) => {
    if (to < 0 || to >= rows.length || from === to) return;
    focus.current = [to, column];
    setRows(withMovedRow(rows, from, to));
    announce(t('designer.table.moved', { n: to + 1 }));
  };

  /** Continues in the next row, which is added after the last row. */
  const goOn = (row: number) => {
    const next = rows[row + 1];
    if (next) focusCell(row + 1, next.heading ? 0 : anchor.current.column);
    else if (canEdit && !isEmptyRow(rows[row]!)) add(row + 1, anchor.current.column);
  };
  /** Moves to a neighbouring cell when the cursor is at the edge of the words. */
  const goAside = (
    { key, shiftKey, currentTarget: field }: KeyboardEvent<HTMLInputElement>,
    row: number,
    column: number,
  ) => {
    if (shiftKey || field.selectionStart !== field.selectionEnd) return;
    if (key === 'ArrowLeft' && field.selectionStart === 0) focusCell(row, column - 1);
    if (key === 'ArrowRight' && field.selectionStart === field.value.length) focusCell(row, column + 1);
  };
  const onKey = (event: KeyboardEvent<HTMLInputElement>, row: number, column: number) => {
    const { key, altKey } = event;
    anchor.current.isByTab = key === 'Tab';
    if (event.nativeEvent.isComposing) return;
    const by = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : 0;
    const isEmptied = (key === 'Delete' || key === 'Backspace') && canEdit && isEmptyRow(rows[row]!);
    if (by === 0 && key !== 'Enter' && !isEmptied) return goAside(event, row, column);
    event.preventDefault();
    if (isEmptied) remove(row);
    else if (key === 'Enter') goOn(row);
    else if (altKey && canEdit) move(row, row + by, column);
    else focusCell(row + by, column);
  };

  const paste = (text: string, at: number): boolean => {
    if (!isTableText(text, rows[at])) return false;
    const sample = isSample(rows, (n) => t('designer.new.dish', { n }));
    const { added, leftOut, ...fields } = withPasted(element, text, at, sample);
    change(fields);
    announce(t('designer.table.pasted', { count: added }));
    if (leftOut > 0) toast({ tone: 'note', text: t('designer.table.leftOut', { count: leftOut, max: MAX_ROWS }) });
    return true;
  };

  const lift = (event: PointerEvent<HTMLElement>, from: number) => {
    if (event.button !== 0 || !canEdit) return;
    let to: number | undefined;
    drag.press(event, {
      move: ({ clientY }) => {
        const tops = [...body.current!.rows].map((row) => row.getBoundingClientRect());
        to = tops.filter(({ y, height }) => clientY > y + height / 2).length;
        setDropAt(to);
      },
      done: () => {
        setDropAt(undefined);
        if (to !== undefined) move(from, to > from ? to - 1 : to, 0);
      },
      cancelled: () => setDropAt(undefined),
    });
  };

  // The handlers stay the same, so that a key renders one row and not two hundred.
  const now = useRef<RowActions>(undefined);
  now.current = {
    onKey,
    paste: (event, row) => {
      if (canEdit && paste(event.clipboardData.getData('text/plain'), row)) event.preventDefault();
    },
    lift,
    move,
    remove,
    add,
    setCell: (row, column, text) => setRows(withCell(rows, row, column, text), `cell ${row} ${column}`),
    setNote: (row, note) => setRows(withRow(rows, row, { note }), `note ${row}`),
    setHeading: (row, heading) => setRows(withRow(rows, row, { heading })),
    openNote: (row) => {
      focus.current = [row, NOTE];
      setNoted(row);
    },
    enter: (column) => {
      if (!anchor.current.isByTab) anchor.current.column = column;
      anchor.current.isByTab = false;
    },
  };
  const actions = useCallback((): RowActions => now.current!, []);

  return (
    <div className="table-grid">
      <table aria-label={t('designer.table.rows')}>
        <tbody ref={body}>
          {rows.map((row, i) => (
            <GridRow
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and their fields keep no state
              key={i}
              {...{ row, columns, canEdit, actions }}
              index={i}
              isNoted={noted === i || row.note !== ''}
              isLast={i === rows.length - 1}
              drop={dropAt === i ? 'before' : dropAt === rows.length && i === rows.length - 1 ? 'after' : ''}
            />
          ))}
        </tbody>
      </table>
      {canEdit && (
        <>
          <Button size="small" icon={Plus} onPress={() => add(rows.length)}>
            {t('designer.table.addRow')}
          </Button>
          <p className="field-hint">{t('designer.table.pasteHint')}</p>
        </>
      )}
    </div>
  );
}

type RowActions = {
  onKey: (event: KeyboardEvent<HTMLInputElement>, row: number, column: number) => void;
  paste: (event: ClipboardEvent<HTMLInputElement>, row: number) => void;
  lift: (event: PointerEvent<HTMLElement>, row: number) => void;
  move: (from: number, to: number, column: number) => void;
  remove: (row: number) => void;
  add: (at: number) => void;
  setCell: (row: number, column: number, text: string) => void;
  setNote: (row: number, note: string) => void;
  setHeading: (row: number, isHeading: boolean) => void;
  openNote: (row: number) => void;
  enter: (column: number) => void;
};

type GridRowProps = {
  row: Row;
  index: number;
  columns: readonly Column[];
  canEdit: boolean;
  isNoted: boolean;
  isLast: boolean;
  drop: 'before' | 'after' | '';
  actions: () => RowActions;
};

const GridRow = memo(function GridRow({ row, index, columns, canEdit, isNoted, isLast, drop, actions }: GridRowProps) {
  const { t } = useTranslation();
  const n = index + 1;
  const nameOfColumn = ({ title, kind }: Column, c: number): string =>
    title ||
    (kind === 'price' ? t('designer.table.price') : c === 0 ? t('designer.table.name') : t('designer.table.text'));
  const field = (column: number, label: string, value: string, onText: (text: string) => void, name: string) => (
    <input
      className={name}
      data-cell={`${index}:${column}`}
      aria-label={t('designer.table.cell', { column: label, n })}
      placeholder={label}
      value={value}
      maxLength={MAX_CELL}
      readOnly={!canEdit}
      autoComplete="off"
      onChange={({ target }) => onText(target.value)}
      onFocus={() => actions().enter(Math.max(column, 0))}
      onKeyDown={(event) => actions().onKey(event, index, column)}
      onPaste={(event) => actions().paste(event, index)}
    />
  );
  const cell = (column: Column, c: number) =>
    field(
      c,
      nameOfColumn(column, c),
      cellOf(row, c),
      (text) => actions().setCell(index, c, text),
      `cell ${column.kind === 'price' ? 'amount' : ''}`,
    );
  const [first, ...others] = columns;
  return (
    <tr className={`${row.heading ? 'heading' : ''} ${drop}`}>
      {canEdit && (
        <td className="grip" aria-hidden onPointerDown={(event) => actions().lift(event, index)}>
          <GripVertical />
        </td>
      )}
      <td colSpan={row.heading ? columns.length : 1}>
        {row.heading
          ? field(0, t('designer.table.heading'), cellOf(row, 0), (text) => actions().setCell(index, 0, text), 'cell')
          : cell(first!, 0)}
        {isNoted &&
          !row.heading &&
          field(NOTE, t('designer.table.note'), row.note, (text) => actions().setNote(index, text), 'cell note')}
      </td>
      {!row.heading &&
        others.map((column, c) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns have no id
          <td key={c}>{cell(column, c + 1)}</td>
        ))}
      {canEdit && (
        <td className="more">
          <RowMenu
            label={t('designer.table.rowActions', { n })}
            items={() => (
              <>
                <MenuItem icon={Heading} onAction={() => actions().setHeading(index, !row.heading)}>
                  {t(row.heading ? 'designer.table.noHeading' : 'designer.table.asHeading')}
                </MenuItem>
                <MenuItem icon={StickyNote} isDisabled={row.heading} onAction={() => actions().openNote(index)}>
                  {t('designer.table.addNote')}
                </MenuItem>
                <MenuItem icon={Plus} onAction={() => actions().add(index + 1)}>
                  {t('designer.table.addBelow')}
                </MenuItem>
                <MenuItem icon={ArrowUp} isDisabled={index === 0} onAction={() => actions().move(index, index - 1, 0)}>
                  {t('designer.table.up')}
                </MenuItem>
                <MenuItem icon={ArrowDown} isDisabled={isLast} onAction={() => actions().move(index, index + 1, 0)}>
                  {t('designer.table.down')}
                </MenuItem>
                <MenuItem icon={Trash2} danger onAction={() => actions().remove(index)}>
                  {t('designer.table.removeRow')}
                </MenuItem>
              </>
            )}
          />
        </td>
      )}
    </tr>
  );
});
