import { Plus, Tag } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_TAGS, Tag as TagText } from '../../../shared/contract/fields.ts';
import { useFound } from '../../api/requests/useFound.ts';
import { Chips, FindBox, type FindGroup } from '../../components/lists/FindBox.tsx';
import { noneOf, rowOf } from '../content/hits.tsx';
import '../content/pickers.css';

type TagPickerProps = {
  label: string;
  hint?: string;
  value: readonly string[];
  onChange: (value: string[]) => void;
  isDisabled?: boolean;
};

const NEW = 'new:';
const KINDS = ['tag'] as const;
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Tags of screens, chosen by typing or newly created. Chosen tags are listed below. */
export function TagPicker({ label, hint, value, onChange, isDisabled = false }: TagPickerProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const found = useFound(KINDS, text);
  const typed = TagText.safeParse(text).data;
  const rows = found.groups.flatMap(({ hits }) => hits.map((hit) => rowOf(hit, t)));
  const isNew = typed !== undefined && !rows.some(({ name }) => isSame(name, typed));
  const groups: FindGroup[] = [
    ...(rows.length > 0 ? [{ id: 'tag', title: t('find.tags'), rows }] : []),
    ...(isNew
      ? [
          {
            id: NEW,
            title: t('tags.new'),
            rows: [{ id: `${NEW}${typed}`, name: typed, picture: <Plus aria-hidden /> }],
          },
        ]
      : []),
  ];
  const add = (tag: string) => {
    setText('');
    if (value.length < MAX_TAGS && !value.some((one) => isSame(one, tag))) onChange([...value, tag]);
  };
  const remove = (tag: string) => onChange(value.filter((one) => !isSame(one, tag)));
  const toggle = (row: string) => {
    const tag = row.slice(row.indexOf(':') + 1);
    if (value.some((one) => isSame(one, tag))) {
      setText('');
      remove(tag);
    } else add(tag);
  };
  // Enter adds the typed text as a tag, unless an arrow key has highlighted a row.
  const onKey = (event: KeyboardEvent<HTMLDivElement>) => {
    const input = event.target as HTMLElement;
    if (event.key !== 'Enter' || typed === undefined || input.getAttribute('aria-activedescendant')) return;
    event.preventDefault();
    event.stopPropagation();
    add(rows.find(({ name }) => isSame(name, typed))?.name ?? typed);
  };
  return (
    <div className="field picker" onKeyDownCapture={onKey}>
      <FindBox
        label={label}
        {...(hint !== undefined && { hint })}
        placeholder={t('tags.type')}
        text={text}
        onText={setText}
        groups={groups}
        isFree
        onLeave={() => {
          const known = rows.find(({ name }) => isSame(name, text.trim()));
          if (known) add(known.name);
        }}
        none={text.trim() === '' && found.state === 'found' ? t('tags.type') : noneOf(found.state, text, t)}
        more={found.more && t('common.typeMore', found.more)}
        chosen={value.map((tag) => `tag:${tag}`)}
        onChoose={toggle}
        isDisabled={isDisabled}
      />
      {value.length > 0 && (
        <Chips
          label={t('find.chosen', { label })}
          chips={value.map((tag) => ({ id: tag, name: tag, picture: <Tag aria-hidden /> }))}
          onRemove={remove}
          removeLabel={(name) => t('find.remove', { name })}
          isDisabled={isDisabled}
        />
      )}
    </div>
  );
}
