import { Search, X } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { SearchField as AriaSearchField } from 'react-aria-components/SearchField';
import { useTranslation } from 'react-i18next';
import { MAX_SEARCH } from './maxSearch.ts';
import './fields.css';

type SearchFieldProps = { label: string; value: string; onChange: (value: string) => void; autoFocus?: boolean };

export function SearchField({ label, value, onChange, autoFocus = false }: SearchFieldProps) {
  const { t } = useTranslation();
  return (
    <AriaSearchField aria-label={label} value={value} onChange={onChange} autoFocus={autoFocus} className="search">
      <Group className="input input-row">
        <Search aria-hidden />
        <Input placeholder={label} maxLength={MAX_SEARCH} />
        <Button className="input-button" aria-label={t('common.clear')}>
          <X aria-hidden />
        </Button>
      </Group>
    </AriaSearchField>
  );
}
