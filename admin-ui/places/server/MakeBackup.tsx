import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { RadioCards } from '../../components/RadioCards.tsx';

const kinds = ['daily', 'complete'] as const;

export function MakeBackup({ onMake, onClose }: { onMake: (complete: boolean) => void; onClose: () => void }) {
  const { t } = useTranslation();
  const [kind, setKind] = useState<(typeof kinds)[number]>('daily');
  return (
    <Dialog
      title={t('server.makeBackup')}
      onClose={onClose}
      onSubmit={() => onMake(kind === 'complete')}
      actions={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" variant="primary">
            {t('server.begin')}
          </Button>
        </>
      }
    >
      <p>{t('server.makeBackupHelp')}</p>
      <RadioCards
        label={t('server.backupKind')}
        value={kind}
        onChange={setKind}
        options={kinds.map((value) => ({ value, label: t(`server.kinds.${value}`), hint: t(`server.kindHints.${value}`) }))}
      />
    </Dialog>
  );
}
