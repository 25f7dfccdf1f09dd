import { AlignCenter, AlignLeft, AlignRight, Plus, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { MAX_COLUMNS } from '../../../../shared/design/elements.ts';
import { Segments } from '../../../components/choices/Choices.tsx';
import { Select } from '../../../components/choices/Select.tsx';
import { Button, IconButton } from '../../../components/controls/Button.tsx';
import { NumberField } from '../../../components/fields/NumberField.tsx';
import { TextField } from '../../../components/fields/TextField.tsx';
import { MAX_CELL, type TableElement, withColumn, withNewColumn, withoutColumn } from './tableEdits.ts';

const ALIGN_ICONS = { start: AlignLeft, center: AlignCenter, end: AlignRight } as const;
const [MIN_WEIGHT, MAX_WEIGHT] = [0.5, 20];

type ColumnFieldsProps = {
  element: TableElement;
  /** Consecutive changes of one `kind` are undone together. */
  change: (values: Partial<TableElement>, kind?: string) => void;
};

/** Title, kind, alignment and width of each column. */
export function ColumnFields({ element, change }: ColumnFieldsProps) {
  const { t } = useTranslation();
  const { columns } = element;
  return (
    <details className="table-columns">
      <summary>{t('designer.table.columns', { count: columns.length })}</summary>
      {columns.map((column, c) => {
        const set = (values: Partial<typeof column>, kind?: string) =>
          change({ columns: withColumn(columns, c, values) }, kind && `${kind} ${c}`);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns have no id
          <fieldset key={c}>
            <legend>{t('designer.table.column', { n: c + 1 })}</legend>
            <TextField
              label={t('designer.table.title')}
              value={column.title}
              maxLength={MAX_CELL}
              onChange={(title) => set({ title }, 'title')}
            />
            <Select
              label={t('designer.table.kind')}
              value={column.kind}
              options={(['text', 'price'] as const).map((kind) => ({
                value: kind,
                label: t(`designer.table.${kind}`),
              }))}
              onChange={(kind) => set({ kind })}
            />
            <Segments
              label={t('designer.table.align')}
              value={column.align}
              options={(['start', 'center', 'end'] as const).map((align) => ({
                value: align,
                label: t(`designer.table.aligns.${align}`),
                icon: ALIGN_ICONS[align],
                iconOnly: true,
              }))}
              onChange={(align) => set({ align })}
            />
            {column.kind === 'text' && (
              <NumberField
                label={t('designer.table.width')}
                hint={t('designer.table.widthHint')}
                value={column.weight}
                min={MIN_WEIGHT}
                max={MAX_WEIGHT}
                step={0.5}
                digits={2}
                onChange={(weight) => weight !== null && set({ weight }, 'weight')}
              />
            )}
            {columns.length > 1 && (
              <IconButton
                icon={Trash2}
                size="small"
                label={t('designer.table.removeColumn', { n: c + 1 })}
                onPress={() => change(withoutColumn(element, c))}
              />
            )}
          </fieldset>
        );
      })}
      {columns.length < MAX_COLUMNS && (
        <div className="zone-actions">
          <Button size="small" icon={Plus} onPress={() => change({ columns: withNewColumn(columns, 'text') })}>
            {t('designer.table.addText')}
          </Button>
          <Button size="small" icon={Plus} onPress={() => change({ columns: withNewColumn(columns, 'price') })}>
            {t('designer.table.addPrice')}
          </Button>
        </div>
      )}
    </details>
  );
}
