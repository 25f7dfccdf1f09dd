import { Check, Search, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useContext, useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Collection } from 'react-aria-components/Collection';
import { ComboBox, ComboBoxStateContext } from 'react-aria-components/ComboBox';
import { Group } from 'react-aria-components/Group';
import { Header } from 'react-aria-components/Header';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Tag, TagGroup, TagList } from 'react-aria-components/TagGroup';
import { Text } from 'react-aria-components/Text';
import { MAX_SEARCH } from '../fields/maxSearch.ts';
import '../fields/fields.css';
import './FindBox.css';
import '../choices/Menu.css';

export interface FindRow {
  readonly id: string;
  readonly name: string;
  readonly hint?: string | undefined;
  /** Text at the end of the row. */
  readonly aside?: string | undefined;
  readonly picture: ReactNode;
}

/** Rows of one kind. */
export interface FindGroup {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly FindRow[];
}

type FindBoxProps = {
  label: string;
  /**
   * Hides the label visually where the position of the field makes its purpose plain. Screen readers still read the
   * label.
   */
  hideLabel?: boolean;
  placeholder: string;
  hint?: ReactNode;
  text: string;
  onText: (text: string) => void;
  /** Results for the text. All of them are rendered, so the caller limits their number. */
  groups: readonly FindGroup[];
  /** False while the results belong to an earlier text. @default true */
  isCurrent?: boolean;
  /** The typed text itself is a valid value: neither Enter nor leaving the field chooses a row automatically. */
  isFree?: boolean;
  /** Text that is shown when there are no results, or while a search is running. */
  none: string;
  /** Text below the results if more records match. */
  more?: string | undefined;
  /** Ids of the chosen rows. Choosing a row again removes it. */
  chosen?: readonly string[];
  onChoose: (id: string) => void;
  /** Called when the focus has left the field and the typed text has been handled. */
  onLeave?: (() => void) | undefined;
  /** Called when the user presses Escape in the field. */
  onEscape?: (() => void) | undefined;
  isDisabled?: boolean;
  isInvalid?: boolean;
  autoFocus?: boolean;
};

const NONE: readonly string[] = [];

/**
 * Element that positions the list. Chosen values may be above the field; `data-anchor` marks an element that
 * contains both. The list must move when the chosen values need more rows, but React Aria observes only the size of
 * its anchor element, not the position.
 */
const anchorOf = (group: RefObject<HTMLElement | null>): RefObject<HTMLElement | null> => ({
  get current() {
    return group.current?.closest<HTMLElement>('[data-anchor]') ?? group.current;
  },
});

/**
 * Search field with results. Arrow keys move the highlight, and Enter chooses the highlighted row, which is the
 * first result until an arrow key is pressed. Leaving the field chooses a row only if exactly one row has the typed
 * name. The list stays open, so that several rows can be chosen in turn.
 */
export function FindBox({
  label,
  hideLabel = false,
  placeholder,
  hint,
  text,
  onText,
  groups,
  isCurrent = true,
  isFree = false,
  none,
  more,
  chosen = NONE,
  onChoose,
  onLeave,
  onEscape,
  isDisabled = false,
  isInvalid = false,
  autoFocus = false,
}: FindBoxProps) {
  const group = useRef<HTMLDivElement>(null);
  const [anchor] = useState(() => anchorOf(group));
  const settle = useSettling({ text, groups, isCurrent, isFree, chosen, onChoose, onLeave });
  const { key } = settle;
  // Finds the toggled row by comparing both selections, because a chosen row may be missing in the list.
  const toggled = (now: readonly string[]) => {
    const added = now.find((id) => !chosen.includes(id));
    // Pressing Tab makes React Aria choose the highlighted row. Here this counts only if the user has moved the
    // highlight, and Tab never removes a chosen row.
    const isChoice = key.current.name !== 'Tab' || key.current.hasMoved;
    const id = added ?? (key.current.name === 'Tab' ? undefined : chosen.find((one) => !now.includes(one)));
    if (id !== undefined && isChoice) onChoose(id);
  };
  return (
    <ComboBox<FindGroup, 'multiple'>
      className="field"
      selectionMode="multiple"
      value={chosen}
      onChange={(keys) => toggled(keys.map(String))}
      inputValue={text}
      onInputChange={(next) => {
        key.current.hasMoved = false;
        onText(next);
      }}
      items={groups}
      menuTrigger="focus"
      allowsEmptyCollection
      onBlur={settle.leave}
      isDisabled={isDisabled}
      isInvalid={isInvalid}
      autoFocus={autoFocus}
      {...(hideLabel && { 'aria-label': label })}
    >
      {!hideLabel && <Label>{label}</Label>}
      <Group className="input input-row" ref={group}>
        <Search aria-hidden />
        <FindInput
          placeholder={placeholder}
          text={text}
          onText={onText}
          first={isFree ? undefined : settle.first}
          settle={settle}
          onEscape={onEscape}
        />
      </Group>
      {hint && (
        <Text slot="description" className="field-hint">
          {hint}
        </Text>
      )}
      <Popover className="popover find-popover" triggerRef={anchor}>
        <ListBox<FindGroup> className="menu find-list" renderEmptyState={() => <p className="find-none">{none}</p>}>
          {(group) => (
            <ListBoxSection id={group.id}>
              <Header className="find-title">{group.title}</Header>
              <Collection items={group.rows}>{(row) => <Row row={row} />}</Collection>
            </ListBoxSection>
          )}
        </ListBox>
        {more !== undefined && <p className="find-more">{more}</p>}
      </Popover>
    </ComboBox>
  );
}

type FindInputProps = Pick<FindBoxProps, 'placeholder' | 'text' | 'onText' | 'onEscape'> & {
  /** Id of the row that is highlighted until an arrow key is pressed. */
  first: string | undefined;
  settle: ReturnType<typeof useSettling>;
};

/**
 * The text input. It highlights the first result (aria-activedescendant), so that Enter chooses it and screen
 * readers announce it.
 */
function FindInput({ placeholder, text, onText, onEscape, first, settle }: FindInputProps) {
  const state = useContext(ComboBoxStateContext);
  const { key } = settle;
  const manager = state?.selectionManager;
  const isMarked = manager?.focusedKey != null;
  // React Aria removes the highlight after each change of the text, so it is set again.
  useEffect(() => {
    if (state?.isOpen && first !== undefined && !isMarked && state.collection.getItem(first))
      manager?.setFocusedKey(first);
  });
  const giveUp = (event: KeyboardEvent) => {
    settle.forget();
    if (!state?.isOpen && text === '' && !onEscape) return;
    // Escape closes the list, not the dialog around it.
    event.preventDefault();
    event.stopPropagation();
    if (text !== '') onText('');
    state?.revert();
    onEscape?.();
  };
  return (
    <Input
      placeholder={placeholder}
      maxLength={MAX_SEARCH}
      onKeyDownCapture={(event) => {
        key.current.name = event.key;
        if (MOVES.has(event.key)) key.current.hasMoved = true;
        if (event.key === 'Escape') giveUp(event);
        if (event.key === 'Enter' && !isMarked && settle.enter()) {
          event.preventDefault();
          event.stopPropagation();
        }
      }}
      onFocusCapture={() => {
        key.current.name = '';
      }}
    />
  );
}

/** Keys that move the highlight in the list. */
const MOVES = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End', 'PageDown', 'PageUp']);

const folded = (text: string): string => text.trim().toLocaleLowerCase();

type Settling = Required<Pick<FindBoxProps, 'text' | 'groups' | 'isCurrent' | 'isFree' | 'chosen' | 'onChoose'>> &
  Pick<FindBoxProps, 'onLeave'>;

/**
 * Chooses a row when the user presses Enter or leaves the field. If the results of the text have not arrived, the
 * choice waits for them.
 */
const useSettling = ({ text, groups, isCurrent, isFree, chosen, onChoose, onLeave }: Settling) => {
  /** The last key, and whether an arrow key has moved the highlight since the text changed. */
  const key = useRef({ name: '', hasMoved: false });
  const waiting = useRef<{ readonly for: 'enter' | 'leave'; readonly text: string }>(undefined);
  const rows = groups.flatMap((group) => group.rows);
  const isAsked = !isFree && text.trim() !== '';
  const top = isAsked && isCurrent ? rows[0]?.id : undefined;
  const first = top !== undefined && !chosen.includes(top) ? top : undefined;
  const enter = (): boolean => {
    if (!isAsked) return false;
    if (!isCurrent) waiting.current = { for: 'enter', text };
    else if (first !== undefined) onChoose(first);
    return !isCurrent || first !== undefined;
  };
  const leave = () => {
    if (isAsked && !isCurrent) {
      waiting.current ??= { for: 'leave', text };
      return;
    }
    waiting.current = undefined;
    const exact = isAsked ? rows.filter(({ name }) => folded(name) === folded(text)) : [];
    if (exact.length === 1 && !chosen.includes(exact[0]!.id)) onChoose(exact[0]!.id);
    onLeave?.();
  };
  useEffect(() => {
    const { current } = waiting;
    if (current === undefined) return;
    if (current.text !== text) waiting.current = undefined;
    else if (isCurrent) {
      waiting.current = undefined;
      if (current.for === 'enter') enter();
      else leave();
    }
  });
  const forget = () => {
    waiting.current = undefined;
  };
  return { key, first, enter, leave, forget };
};

function Row({ row }: { row: FindRow }) {
  return (
    <ListBoxItem className="menu-item find-row" id={row.id} textValue={row.name}>
      <span className="find-picture">{row.picture}</span>
      <span className="menu-text">
        <Text slot="label" className="truncate">
          {row.name}
        </Text>
        {row.hint && (
          <Text slot="description" className="truncate">
            {row.hint}
          </Text>
        )}
      </span>
      {row.aside && <span className="find-aside">{row.aside}</span>}
      <Check aria-hidden className="menu-check" />
    </ListBoxItem>
  );
}

type ChipsProps = {
  label: string;
  chips: readonly Pick<FindRow, 'id' | 'name' | 'aside' | 'picture'>[];
  onRemove: (id: string) => void;
  removeLabel: (name: string) => string;
  isDisabled?: boolean;
};

/** The chosen values as chips in a row. Arrow keys move between chips, Delete removes a chip. */
export function Chips({ label, chips, onRemove, removeLabel, isDisabled = false }: ChipsProps) {
  return (
    <TagGroup
      aria-label={label}
      {...(!isDisabled && {
        onRemove: (keys: Set<unknown>) => {
          for (const key of keys) onRemove(String(key));
        },
      })}
    >
      <TagList className="chips" items={chips.map((chip) => ({ ...chip }))}>
        {(chip) => (
          <Tag className="chip" id={chip.id} textValue={chip.name}>
            <span className="find-picture">{chip.picture}</span>
            <span className="truncate">{chip.name}</span>
            {chip.aside && <span className="find-aside">{chip.aside}</span>}
            {!isDisabled && (
              <Button slot="remove" className="chip-remove" aria-label={removeLabel(chip.name)}>
                <X aria-hidden />
              </Button>
            )}
          </Tag>
        )}
      </TagList>
    </TagGroup>
  );
}
