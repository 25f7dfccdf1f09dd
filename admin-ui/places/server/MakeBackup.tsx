import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../../components/Dialog.tsx';
import { RadioCards } from '../../components/RadioCards.tsx';

const kinds = ['daily', 'complete'] as const;

export function MakeBackup({ onMake, onClose }: { onMake: (complete: boolean) => void; onClose: () => void }) {
  const { t } = useTranslation();
  const [kind, setKind] = useState<(typeof kinds)[number]>('daily');
  return (
    <FormDialog title={t('server.makeBackup')} onClose={onClose} onSubmit={() => onMake(kind === 'complete')} submit={t('server.begin')}>
      <p>{t('server.makeBackupHelp')}</p>
      <RadioCards
        label={t('server.backupKind')}
        value={kind}
        onChange={setKind}
        options={kinds.map((value) => ({ value, label: t(`server.kinds.${value}`), hint: t(`server.kindHints.${value}`) }))}
      />
    </FormDialog>
  );
}
