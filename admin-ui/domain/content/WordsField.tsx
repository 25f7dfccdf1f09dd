import { type LucideIcon, Plus } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { Chips, FindBox, type FindGroup } from '../../components/lists/FindBox.tsx';
import { noneOf } from './hits.tsx';
import './pickers.css';

type WordsFieldProps = {
  label: string;
  hint: string;
  icon: LucideIcon;
  placeholder: string;
  /** Headings of the lists of known and of new words. */
  titles: { known: string; new: string };
  /** Tags or regions that stores already have. */
  known: readonly string[];
  /** Schema that a new word must satisfy. */
  schema: z.ZodType<string>;
  /** Maximum number of words. If it is 1, the next word replaces the chosen word. */
  most: number;
  value: readonly string[];
  onChange: (value: string[]) => void;
};

const NEW = 'new:';
const KNOWN = 'known:';
/** Maximum number of shown words. Further words are found by typing. */
const SHOWN = 40;
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Field for the tags or the region of a store, chosen from existing words or typed. Chosen words are listed below. */
export function WordsField({
  label,
  hint,
  icon: Icon,
  placeholder,
  titles,
  known,
  schema,
  most,
  value,
  onChange,
}: WordsFieldProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const typed = schema.safeParse(text.trim()).data;
  const found = known.filter((word) => word.toLowerCase().includes(text.trim().toLowerCase())).slice(0, SHOWN);
  const groups: FindGroup[] = [
    ...(found.length > 0
      ? [
          {
            id: KNOWN,
            title: titles.known,
            rows: found.map((word) => ({ id: KNOWN + word, name: word, picture: <Icon aria-hidden /> })),
          },
        ]
      : []),
    ...(typed !== undefined && !known.some((word) => isSame(word, typed))
      ? [{ id: NEW, title: titles.new, rows: [{ id: NEW + typed, name: typed, picture: <Plus aria-hidden /> }] }]
      : []),
  ];
  const remove = (word: string) => onChange(value.filter((one) => !isSame(one, word)));
  const add = (word: string) => {
    setText('');
    if (value.some((one) => isSame(one, word))) return;
    if (most === 1) onChange([word]);
    else if (value.length < most) onChange([...value, word]);
  };
  const toggle = (row: string) => {
    const word = row.slice(row.indexOf(':') + 1);
    if (value.some((one) => isSame(one, word))) remove(word);
    else add(word);
  };
  // Enter adds the typed text as a word, unless an arrow key has highlighted a row.
  const onKey = (event: KeyboardEvent<HTMLDivElement>) => {
    const input = event.target as HTMLElement;
    if (event.key !== 'Enter' || typed === undefined || input.getAttribute('aria-activedescendant')) return;
    event.preventDefault();
    event.stopPropagation();
    add(known.find((word) => isSame(word, typed)) ?? typed);
  };
  return (
    <div className="field picker" onKeyDownCapture={onKey}>
      <FindBox
        label={label}
        hint={hint}
        placeholder={placeholder}
        text={text}
        onText={setText}
        groups={groups}
        isFree
        none={text.trim() === '' ? placeholder : noneOf('found', text, t)}
        chosen={value.map((word) => KNOWN + word)}
        onChoose={toggle}
        onLeave={() => typed !== undefined && add(known.find((word) => isSame(word, typed)) ?? typed)}
      />
      {value.length > 0 && (
        <Chips
          label={t('find.chosen', { label })}
          chips={value.map((word) => ({ id: word, name: word, picture: <Icon aria-hidden /> }))}
          onRemove={remove}
          removeLabel={(name) => t('find.remove', { name })}
        />
      )}
    </div>
  );
}
