import { useMutation } from '@tanstack/react-query';
import { ChartNoAxesCombined, CircleDashed, Download, FileSpreadsheet, ShieldCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { downloadPlays, type PlaysFormat, type ReportOf } from '../../api/reports.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { Menu, MenuItem } from '../../components/choices/Menu.tsx';
import { Button } from '../../components/controls/Button.tsx';

/**
 * Menu that downloads every play of the period, or the comparison with the plan, for calculations or as a proof.
 */
export function DownloadPlays({ of, isDisabled }: { of: ReportOf; isDisabled: boolean }) {
  const { t } = useTranslation();
  const save = useMutation({
    mutationFn: (format: PlaysFormat) => downloadPlays(of, format),
    onError: useProblem(),
  });
  return (
    <Menu
      label={t('content.download')}
      trigger={
        <Button icon={Download} isPending={save.isPending} isDisabled={isDisabled}>
          {t('content.download')}
        </Button>
      }
    >
      <MenuItem icon={FileSpreadsheet} hint={t('reports.csvHint')} onAction={() => save.mutate('csv')}>
        {t('reports.csv')}
      </MenuItem>
      <MenuItem icon={ChartNoAxesCombined} hint={t('reports.plannedCsvHint')} onAction={() => save.mutate('planned')}>
        {t('reports.plannedCsv')}
      </MenuItem>
      <MenuItem icon={CircleDashed} hint={t('reports.missingCsvHint')} onAction={() => save.mutate('missing')}>
        {t('reports.missingCsv')}
      </MenuItem>
      <MenuItem icon={ShieldCheck} hint={t('reports.proofHint')} onAction={() => save.mutate('jsonl')}>
        {t('reports.proof')}
      </MenuItem>
    </Menu>
  );
}
