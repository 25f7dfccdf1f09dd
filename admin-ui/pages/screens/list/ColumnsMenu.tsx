import { Check, Columns3 } from 'lucide-react';
import { Menu as AriaMenu, MenuItem as AriaMenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../components/controls/Button.tsx';
import { type ScreenColumn, screenColumns, textOfColumns } from './screenTable.utils.ts';

/** Menu for choosing the columns of the screens table. The name is always shown. */
export function ColumnsMenu({
  columns,
  onColumns,
}: {
  columns: readonly ScreenColumn[];
  onColumns: (columns: string | undefined) => void;
}) {
  const { t } = useTranslation();
  return (
    <MenuTrigger>
      <IconButton icon={Columns3} size="small" label={t('screens.columns')} />
      <Popover className="popover" placement="bottom end">
        <AriaMenu
          className="menu"
          aria-label={t('screens.columns')}
          selectionMode="multiple"
          selectedKeys={columns}
          onSelectionChange={(keys) =>
            onColumns(textOfColumns(screenColumns.filter((column) => keys === 'all' || keys.has(column))))
          }
        >
          {screenColumns
            .filter((column) => column !== 'name')
            .map((column) => (
              <AriaMenuItem key={column} id={column} className="menu-item" textValue={t(`screens.column.${column}`)}>
                {({ isSelected }) => (
                  <>
                    <Check aria-hidden style={{ visibility: isSelected ? 'visible' : 'hidden' }} />
                    <span className="menu-text">{t(`screens.column.${column}`)}</span>
                  </>
                )}
              </AriaMenuItem>
            ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
