import { useQuery } from '@tanstack/react-query';
import { Store } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chainStoresQuery } from '../../api/chain/stores.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Chips, FindBox } from '../../components/lists/FindBox.tsx';
import { noneOf } from '../../domain/content/hits.tsx';
import '../../domain/content/pickers.css';

/** Maximum number of search results. */
const FOUND = 20;
/** Maximum number of rendered chips. Nobody reads thousands of names. */
const SHOWN = 24;

type StorePickerProps = {
  label: string;
  hint: string;
  value: readonly string[];
  onChange: (ids: string[]) => void;
};

/** Field for choosing stores by typing their names. Chosen stores are listed below. */
export function StorePicker({ label, hint, value, onChange }: StorePickerProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const query = useQuery(chainStoresQuery);
  const stores = query.data ?? [];
  const names = new Map(stores.map(({ id, name }) => [id, name]));
  const wanted = text.trim().toLowerCase();
  const matching = stores.filter(({ name, region }) => `${name} ${region}`.toLowerCase().includes(wanted));
  const rows = matching.slice(0, FOUND);
  const toggle = (id: string) => {
    setText('');
    onChange(value.includes(id) ? value.filter((one) => one !== id) : [...value, id]);
  };
  const rest = value.length - SHOWN;
  return (
    <div className="field picker">
      <FindBox
        label={label}
        hint={hint}
        placeholder={t('campaign.typeStore')}
        text={text}
        onText={setText}
        groups={
          rows.length === 0
            ? []
            : [
                {
                  id: 'stores',
                  title: t('nav.stores'),
                  rows: rows.map(({ id, name, region }) => ({
                    id,
                    name,
                    hint: region || undefined,
                    picture: <Store aria-hidden />,
                  })),
                },
              ]
        }
        none={noneOf(query.isError ? 'failed' : query.isPending ? 'looking' : 'found', text, t)}
        more={
          matching.length > rows.length
            ? t('common.typeMore', { shown: rows.length, total: matching.length })
            : undefined
        }
        chosen={value}
        onChoose={toggle}
      />
      {value.length > 0 && (
        <Chips
          label={t('find.chosen', { label })}
          chips={value.slice(0, SHOWN).map((id) => ({
            id,
            name: names.get(id) ?? (query.data ? t('find.gone') : '…'),
            picture: <Store aria-hidden />,
          }))}
          onRemove={toggle}
          removeLabel={(name) => t('find.remove', { name })}
        />
      )}
      {rest > 0 && (
        <p className="picker-more">
          {t('campaign.moreNamed', { count: rest })}{' '}
          <Button size="small" variant="quiet" onPress={() => onChange([])}>
            {t('campaign.clearNamed')}
          </Button>
        </p>
      )}
    </div>
  );
}
