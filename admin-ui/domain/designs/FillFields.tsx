import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { TextField } from '../../components/fields/TextField.tsx';
import './FillFields.css';
import type { Changes, Field, FieldKind, Values } from './fields.ts';
import type { NewPictures } from './newPictures.ts';
import { PictureField } from './PictureField.tsx';
import { PriceField } from './PriceField.tsx';

type FillFieldsProps = {
  fields: readonly Field[];
  changes: Changes;
  pictures: NewPictures;
  onChange: (key: string, value: Values[FieldKind]) => void;
  /** Moves the focus into the first title. */
  autoFocus?: boolean;
};

/** Kinds that come after the words and prices when a design has a single field of the kind. */
const LAST: readonly FieldKind[] = ['media', 'qr', 'countdown'];
const rankOf = ({ kind, of }: Field): number => (of === 1 ? LAST.indexOf(kind) : -1);

/** The fields of a design in words: texts, prices, lists, pictures, codes and dates. */
export function FillFields({ fields, changes, pictures, onChange, autoFocus = false }: FillFieldsProps) {
  const ordered = fields.toSorted((a, b) => rankOf(a) - rankOf(b));
  const focused = autoFocus ? (ordered.find(({ style }) => style === 'title') ?? ordered[0])?.key : undefined;
  return ordered.map((field) => (
    <FillField
      key={field.key}
      field={field}
      value={changes[field.key] ?? field.value}
      pictures={pictures}
      autoFocus={field.key === focused}
      onChange={(value) => onChange(field.key, value)}
    />
  ));
}

/** Returns the label of a field: its own name, or what it is for. */
const labelOf = ({ name, kind, style, n, of }: Field, t: TFunction): string => {
  if (name !== '') return name;
  const label = kind === 'text' ? t(`templates.texts.${style ?? 'body'}`) : t(`templates.fields.${kind}`);
  return of > 1 ? t('templates.numbered', { label, n }) : label;
};

type FillFieldProps = {
  field: Field;
  value: Values[FieldKind];
  pictures: NewPictures;
  autoFocus: boolean;
  onChange: (value: Values[FieldKind]) => void;
};

function FillField({ field, value, pictures, autoFocus, onChange }: FillFieldProps) {
  const { t } = useTranslation();
  const label = labelOf(field, t);
  switch (field.kind) {
    case 'text':
      return (
        <TextField
          label={label}
          value={value as string}
          autoFocus={autoFocus}
          multiline={field.style === 'body' || field.value.includes('\n')}
          maxLength={2000}
          onFocus={({ target }) => {
            if (!autoFocus) return;
            // The frame of the window leaves the focus in a control with this mark (Shell.tsx).
            target.setAttribute('data-first-act', '');
            (target as HTMLInputElement).select();
          }}
          onChange={onChange}
        />
      );
    case 'table':
      return (
        <div className="fill-table">
          <TextField
            label={label}
            hint={t('templates.tableHint')}
            value={value as string}
            multiline
            maxLength={40_000}
            onChange={onChange}
          />
        </div>
      );
    case 'price':
      return (
        <PriceField
          label={label}
          value={value as Values['price']}
          currency={field.currency ?? ''}
          onChange={onChange}
        />
      );
    case 'media':
      return <PictureField label={label} value={value as string | null} pictures={pictures} onChange={onChange} />;
    case 'qr':
      return (
        <TextField label={label} value={value as string} maxLength={1000} spellCheck="false" onChange={onChange} />
      );
    case 'countdown':
      return (
        <TextField
          type="datetime-local"
          label={label}
          value={value as string}
          // An incomplete date is not a value.
          onChange={(minute) => minute.length >= 16 && onChange(minute.slice(0, 16))}
        />
      );
    default:
      return field satisfies never;
  }
}
