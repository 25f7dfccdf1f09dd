import { Maximize2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Switch } from '../../../components/choices/Choices.tsx';
import { Button } from '../../../components/controls/Button.tsx';
import { Dialog } from '../../../components/controls/Dialog.tsx';
import { TextField } from '../../../components/fields/TextField.tsx';
import { ColumnFields } from '../table/ColumnFields.tsx';
import { TableGrid } from '../table/TableGrid.tsx';
import { BehindFields } from './LookFields.tsx';
import type { PanelProps } from './panelProps.ts';
import { TextualFields } from './TextualFields.tsx';

const MAX_SIZE = 400;
const isCurrency = (code: string): boolean => /^[A-Z]{3}$/.test(code);

/** Rows, columns and look of a table. */
export function TablePanel({ element, change, canEdit }: PanelProps<'table'>) {
  const { t } = useTranslation();
  const [isLarge, setLarge] = useState(false);
  const isDisabled = !canEdit;
  const grid = <TableGrid element={element} change={change} canEdit={canEdit} />;
  return (
    <>
      {isLarge ? (
        <Dialog
          title={t('designer.table.rows')}
          size="wide"
          holdsAtOnce
          onClose={() => setLarge(false)}
          actions={<Button onPress={() => setLarge(false)}>{t('common.done')}</Button>}
        >
          {grid}
        </Dialog>
      ) : (
        grid
      )}
      <Button size="small" variant="quiet" icon={Maximize2} onPress={() => setLarge(true)}>
        {t('designer.table.enlarge')}
      </Button>
      {canEdit && <ColumnFields element={element} change={change} />}
      {element.columns.some(({ kind }) => kind === 'price') && (
        <CurrencyField value={element.currency} isDisabled={isDisabled} onChange={(currency) => change({ currency })} />
      )}
      <Switch isSelected={element.lines} isDisabled={isDisabled} onChange={(lines) => change({ lines })}>
        {t('designer.table.lines')}
      </Switch>
      <TextualFields value={element} maxSize={MAX_SIZE} isDisabled={isDisabled} hasAlign={false} onChange={change} />
      <BehindFields element={element} change={change} canEdit={canEdit} />
    </>
  );
}

type CurrencyFieldProps = { value: string; onChange: (code: string) => void; isDisabled: boolean };

/** Three letters of a currency. Fewer letters change nothing, and the former currency returns. */
function CurrencyField({ value, onChange, isDisabled }: CurrencyFieldProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<string>();
  return (
    <TextField
      label={t('designer.price.currency')}
      value={typed ?? value}
      isDisabled={isDisabled}
      maxLength={3}
      onBlur={() => setTyped(undefined)}
      onChange={(text) => {
        const code = text.toUpperCase();
        setTyped(code);
        if (isCurrency(code)) onChange(code);
      }}
    />
  );
}
