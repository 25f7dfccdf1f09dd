import { useMutation } from '@tanstack/react-query';
import { Download, FileSpreadsheet, ListX, ShieldCheck, Sigma } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { downloadChainPlays } from '../../api/chain/stores.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { Menu, MenuItem } from '../../components/choices/Menu.tsx';
import { Button } from '../../components/controls/Button.tsx';
import type { ChainPlaysData } from './useChainPlaysData.ts';

/** Menu that downloads the plays, for calculations or as a proof. */
export function DownloadChainPlays({ data: { of, view }, isDisabled }: { data: ChainPlaysData; isDisabled: boolean }) {
  const { t } = useTranslation();
  const save = useMutation({
    mutationFn: (format: 'csv' | 'sums' | 'proof' | 'missing') => downloadChainPlays(of, format, view),
    onError: useProblem(),
  });
  return (
    <Menu
      label={t('content.download')}
      trigger={
        <Button icon={Download} variant="primary" isPending={save.isPending} isDisabled={isDisabled}>
          {t('content.download')}
        </Button>
      }
    >
      <MenuItem icon={FileSpreadsheet} hint={t('chainPlays.csvHint')} onAction={() => save.mutate('csv')}>
        {t('reports.csv')}
      </MenuItem>
      <MenuItem icon={Sigma} hint={t('chainPlays.sumsHint')} onAction={() => save.mutate('sums')}>
        {t('chainPlays.sums')}
      </MenuItem>
      <MenuItem icon={ShieldCheck} hint={t('chainPlays.proofHint')} onAction={() => save.mutate('proof')}>
        {t('chainPlays.proof')}
      </MenuItem>
      <MenuItem icon={ListX} hint={t('chainPlays.missingHint')} onAction={() => save.mutate('missing')}>
        {t('chainPlays.missing')}
      </MenuItem>
    </Menu>
  );
}
