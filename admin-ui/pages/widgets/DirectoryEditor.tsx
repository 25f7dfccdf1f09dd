import { ClipboardPaste, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../components/choices/Choices.tsx';
import { Button, IconButton } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/controls/Dialog.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { type Category, categoriesFromTable, type Entry, emptyEntry } from './directory.utils.ts';

type DirectoryEditorProps = { categories: readonly Category[]; onChange: (categories: readonly Category[]) => void };

const replaced = <T,>(list: readonly T[], at: number, one: T): T[] => list.map((now, i) => (i === at ? one : now));
const without = <T,>(list: readonly T[], at: number): T[] => list.filter((_, i) => i !== at);

export function DirectoryEditor({ categories, onChange }: DirectoryEditorProps) {
  const { t } = useTranslation();
  const [pasting, setPasting] = useState(false);
  return (
    <fieldset className="directory">
      <legend>{t('widget.field.categories')}</legend>
      {categories.length === 0 && <p className="field-hint">{t('widget.directoryEmpty')}</p>}
      {categories.map((category, at) => (
        <CategoryEditor
          // biome-ignore lint/suspicious/noArrayIndexKey: a category has no identity but its place
          key={at}
          category={category}
          n={at + 1}
          onChange={(one) => onChange(replaced(categories, at, one))}
          onRemove={() => onChange(without(categories, at))}
        />
      ))}
      <div className="form-actions">
        <Button icon={Plus} size="small" onPress={() => onChange([...categories, { name: '', entries: [emptyEntry] }])}>
          {t('widget.addCategory')}
        </Button>
        <Button icon={ClipboardPaste} size="small" onPress={() => setPasting(true)}>
          {t('widget.pasteTable')}
        </Button>
      </div>
      {pasting && (
        <PasteTable onClose={() => setPasting(false)} onPaste={(more) => onChange([...categories, ...more])} />
      )}
    </fieldset>
  );
}

type CategoryProps = { category: Category; n: number; onChange: (category: Category) => void; onRemove: () => void };

function CategoryEditor({ category, n, onChange, onRemove }: CategoryProps) {
  const { t } = useTranslation();
  const { entries } = category;
  const change = (at: number, part: Partial<Entry>) =>
    onChange({ ...category, entries: replaced(entries, at, { ...(entries[at] ?? emptyEntry), ...part }) });
  const cell = (at: number, key: 'identifier' | 'name' | 'subtitle') => (
    <input
      className="input"
      aria-label={t(`widget.entry.${key}`)}
      placeholder={t(`widget.entry.${key}`)}
      value={entries[at]?.[key] ?? ''}
      onChange={(event) => change(at, { [key]: event.target.value })}
    />
  );
  return (
    <div className="directory-category">
      <div className="directory-head">
        <TextField
          label={t('widget.categoryName', { n })}
          value={category.name}
          onChange={(name) => onChange({ ...category, name })}
        />
        <IconButton icon={Trash2} label={t('widget.removeCategory', { name: category.name || n })} onPress={onRemove} />
      </div>
      <ul>
        {entries.map((entry, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an entry has no identity but its place
          <li key={at} className="directory-entry">
            {cell(at, 'identifier')}
            {cell(at, 'name')}
            {cell(at, 'subtitle')}
            <Checkbox isSelected={entry.available} onChange={(available) => change(at, { available })}>
              {t('widget.entry.available')}
            </Checkbox>
            <IconButton
              icon={Trash2}
              size="small"
              label={t('people.removeMember', { name: entry.name || at + 1 })}
              onPress={() => onChange({ ...category, entries: without(entries, at) })}
            />
          </li>
        ))}
      </ul>
      <Button
        icon={Plus}
        size="small"
        variant="quiet"
        onPress={() => onChange({ ...category, entries: [...entries, emptyEntry] })}
      >
        {t('widget.addEntry')}
      </Button>
    </div>
  );
}

function PasteTable({ onClose, onPaste }: { onClose: () => void; onPaste: (categories: Category[]) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const found = categoriesFromTable(text);
  const count = found.reduce((sum, { entries }) => sum + entries.length, 0);
  return (
    <Dialog
      title={t('widget.pasteTable')}
      size="wide"
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button
            variant="primary"
            isDisabled={count === 0}
            onPress={() => {
              onPaste(found);
              onClose();
            }}
          >
            {t('widget.pasteAdd', { count })}
          </Button>
        </>
      }
    >
      <p>{t('widget.pasteHelp')}</p>
      <TextField label={t('widget.pasteRows')} value={text} onChange={setText} multiline autoFocus />
    </Dialog>
  );
}
