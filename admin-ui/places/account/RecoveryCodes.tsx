import { Copy, Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Checkbox } from '../../components/Choices.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { toast } from '../../components/toasts.ts';
import { copyText } from '../../data/copy.ts';
import { saveBlob } from '../../data/download.ts';

/** Shown this once: it closes only by saying that they are kept. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation();
  const [kept, setKept] = useState(false);
  const text = `${codes.join('\n')}\n`;
  const copy = async () => {
    const done = await copyText(text);
    toast({ tone: done ? 'done' : 'problem', text: done ? t('common.copied') : t('people.copyFailed') });
  };
  return (
    <Dialog
      title={t('account.codesTitle')}
      onClose={() => kept && onClose()}
      actions={
        <Button variant="primary" isDisabled={!kept} onPress={onClose}>
          {t('common.done')}
        </Button>
      }
    >
      <p>{t('account.codesHelp')}</p>
      <ol className="recovery-codes" translate="no">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="form-actions">
        <Button
          icon={Download}
          onPress={() => saveBlob(new Blob([text], { type: 'text/plain' }), 'vitrine-recovery-codes.txt')}
        >
          {t('account.saveCodes')}
        </Button>
        <Button icon={Copy} onPress={() => void copy()}>
          {t('common.copy')}
        </Button>
      </div>
      <Checkbox isSelected={kept} onChange={setKept}>
        {t('account.codesKept')}
      </Checkbox>
    </Dialog>
  );
}
