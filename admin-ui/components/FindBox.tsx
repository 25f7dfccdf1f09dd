import { Check, Search, X } from 'lucide-react';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Collection } from 'react-aria-components/Collection';
import { ComboBox } from 'react-aria-components/ComboBox';
import { Group } from 'react-aria-components/Group';
import { Header } from 'react-aria-components/Header';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Tag, TagGroup, TagList } from 'react-aria-components/TagGroup';
import { Text } from 'react-aria-components/Text';
import { MAX_SEARCH } from './maxSearch.ts';
import './fields.css';
import './FindBox.css';
import './Menu.css';

export interface FindRow {
  readonly id: string;
  readonly name: string;
  readonly hint?: string | undefined;
  /** Stands at the end of the row. */
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
  /** Leaves the label to screen readers, where its place makes plain to everybody else what it is. */
  hideLabel?: boolean;
  placeholder: string;
  hint?: ReactNode;
  text: string;
  onText: (text: string) => void;
  /** What was found for the text: all of it is in the page, so it should be few. */
  groups: readonly FindGroup[];
  /** Says that nothing was found, or that it is being looked for. */
  none: string;
  /** Stands beneath what was found: that there is more. */
  more?: string | undefined;
  /** Ids of the rows that are chosen; choosing one of them again takes it back. */
  chosen?: readonly string[];
  onChoose: (id: string) => void;
  /** Called when the focus goes elsewhere. */
  onLeave?: (() => void) | undefined;
  isDisabled?: boolean;
  isInvalid?: boolean;
  autoFocus?: boolean;
};

const NONE: readonly string[] = [];

/**
 * What was chosen may stand above the field (`data-anchor` holds both): the list follows as that grows. React Aria watches
 * the size of what it is placed at, not its place.
 */
const anchorOf = (group: RefObject<HTMLElement | null>): RefObject<HTMLElement | null> => ({
  get current() {
    return group.current?.closest<HTMLElement>('[data-anchor]') ?? group.current;
  },
});

/** Type to find, arrows to move, Enter to choose. It stays open: several can be chosen one after the other. */
export function FindBox({
  label,
  hideLabel = false,
  placeholder,
  hint,
  text,
  onText,
  groups,
  none,
  more,
  chosen = NONE,
  onChoose,
  onLeave,
  isDisabled = false,
  isInvalid = false,
  autoFocus = false,
}: FindBoxProps) {
  const group = useRef<HTMLDivElement>(null);
  const [anchor] = useState(() => anchorOf(group));
  /** The Tab key chooses what it stands on, which may be what is chosen already: going on takes nothing back. */
  const goesOn = useRef(false);
  // What is chosen may be no row now; what is toggled is the difference.
  const toggled = (now: readonly string[]) => {
    const added = now.find((key) => !chosen.includes(key));
    const id = added ?? (goesOn.current ? undefined : chosen.find((key) => !now.includes(key)));
    if (id !== undefined) onChoose(id);
  };
  return (
    <ComboBox<FindGroup, 'multiple'>
      className="field"
      selectionMode="multiple"
      value={chosen}
      onChange={(keys) => toggled(keys.map(String))}
      inputValue={text}
      onInputChange={onText}
      items={groups}
      menuTrigger="focus"
      allowsEmptyCollection
      {...(onLeave && { onBlur: onLeave })}
      isDisabled={isDisabled}
      isInvalid={isInvalid}
      autoFocus={autoFocus}
      {...(hideLabel && { 'aria-label': label })}
    >
      {!hideLabel && <Label>{label}</Label>}
      <Group className="input input-row" ref={group}>
        <Search aria-hidden />
        <Input
          placeholder={placeholder}
          maxLength={MAX_SEARCH}
          onKeyDownCapture={({ key }) => {
            goesOn.current = key === 'Tab';
          }}
          onFocusCapture={() => {
            goesOn.current = false;
          }}
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

/** What was chosen, one beside the other; arrows move, Delete takes one away. */
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
