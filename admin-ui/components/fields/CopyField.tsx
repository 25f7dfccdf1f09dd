import { Check, Copy } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../controls/Button.tsx';
import './CopyField.css';

type CopyFieldProps = { label: string; value: string; onCopy: (value: string) => Promise<boolean> };

/**
 * Read-only field for a value that the user passes on: shown completely, selected with one click, copied with the
 * button.
 */
export function CopyField({ label, value, onCopy }: CopyFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const [copied, setCopied] = useState(false);
  return (
    <div className="field copy-field">
      <label htmlFor={id}>{label}</label>
      <div className="copy-row">
        <input
          id={id}
          className="input"
          readOnly
          value={value}
          onFocus={(event) => event.target.select()}
          spellCheck={false}
          translate="no"
        />
        <Button icon={copied ? Check : Copy} onPress={() => void onCopy(value).then(setCopied)}>
          {copied ? t('common.copied') : t('common.copy')}
        </Button>
      </div>
      <span className="visually-hidden" role="status">
        {copied ? t('common.copied') : ''}
      </span>
    </div>
  );
}
