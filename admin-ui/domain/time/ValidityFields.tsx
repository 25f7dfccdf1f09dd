import { useTranslation } from 'react-i18next';
import type { Valid } from '../../../shared/contract/content/validity.ts';
import { Button } from '../../components/controls/Button.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { Explained } from '../records/TermHelp.tsx';
import { endsBeforeItBegins } from './validity.utils.ts';

/** Start and end of a validity by the clocks of the screens. An empty field means no limit. */
export function ValidityFields({ valid, onChange }: { valid: Valid; onChange: (change: Partial<Valid>) => void }) {
  const { t } = useTranslation();
  return (
    <div className="form pairs">
      <Explained term="validity">
        <TextField
          type="datetime-local"
          label={t('content.validity.shownFrom')}
          value={valid.valid_from ?? ''}
          onChange={(minute) => onChange({ valid_from: minute.slice(0, 16) || null })}
        />
      </Explained>
      <TextField
        type="datetime-local"
        label={t('content.validity.shownUntil')}
        hint={t('content.validity.hint')}
        value={valid.valid_until ?? ''}
        onChange={(minute) => onChange({ valid_until: minute.slice(0, 16) || null })}
        error={endsBeforeItBegins(valid) ? t('content.validity.endsBefore') : undefined}
      />
      {(valid.valid_from !== null || valid.valid_until !== null) && (
        <span>
          <Button size="small" variant="quiet" onPress={() => onChange({ valid_from: null, valid_until: null })}>
            {t('content.validity.clear')}
          </Button>
        </span>
      )}
    </div>
  );
}
