import { useQuery } from '@tanstack/react-query';
import { Braces } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { BUILT_IN } from '../../../shared/chain/values.ts';
import { valueNamesQuery } from '../../api/chain/storeValues.ts';
import { useMe } from '../../api/session/me.ts';
import { Menu, MenuItem } from '../../components/choices/Menu.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { withInserted } from './widget.utils.ts';

type InsertValueProps = { label: string; value: string; onChange: (value: string) => void; children: ReactNode };

/** Text field at headquarters with a menu of the values of stores. A chosen value is inserted at the cursor. */
export function InsertValue({ children, ...field }: InsertValueProps) {
  return useMe().headquarters ? <Offered {...field}>{children}</Offered> : children;
}

function Offered({ label, value, onChange, children }: InsertValueProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const names = useQuery(valueNamesQuery).data ?? [];
  const insert = (name: string) => {
    const input = box.current?.querySelector<HTMLTextAreaElement | HTMLInputElement>('textarea, input');
    const at = { from: input?.selectionStart ?? value.length, to: input?.selectionEnd ?? value.length };
    onChange(withInserted(value, `{{${name}}}`, at));
  };
  return (
    <div ref={box} className="with-values">
      {children}
      <Menu
        label={t('storeValues.insert')}
        trigger={
          <Button size="small" variant="quiet" icon={Braces} aria-label={t('storeValues.insertOf', { label })}>
            {t('storeValues.insert')}
          </Button>
        }
      >
        {names.map(({ name, stores }) => (
          <MenuItem
            key={name}
            hint={
              (BUILT_IN as readonly string[]).includes(name)
                ? t('storeValues.builtIn')
                : t('storeValues.in', { count: stores })
            }
            onAction={() => insert(name)}
          >
            {name}
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}
