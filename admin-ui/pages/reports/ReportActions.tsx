import { useMutation } from '@tanstack/react-query';
import { Bookmark, FileText } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { downloadPaper } from '../../api/reports.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { Button } from '../../components/controls/Button.tsx';
import { TermHelp } from '../../domain/records/TermHelp.tsx';
import { DownloadPlays } from './DownloadPlays.tsx';
import type { ReportsData } from './useReportsData.ts';

const SavedReports = lazy(() => import('./SavedReports.tsx').then((page) => ({ default: page.SavedReports })));

/** Buttons of a report: save, download, print for a customer. */
export function ReportActions({ data, isEmpty }: { data: ReportsData; isEmpty: boolean }) {
  const { t, i18n } = useTranslation();
  const [isKeeping, setKeeping] = useState(false);
  const paper = useMutation({
    mutationFn: () => downloadPaper(data.of, { language: i18n.language.startsWith('de') ? 'de' : 'en' }),
    onError: useProblem(),
  });
  return (
    <>
      <Button icon={Bookmark} onPress={() => setKeeping(true)}>
        {t('reports.saved')}
      </Button>
      <span className="with-help">
        <DownloadPlays of={data.of} isDisabled={isEmpty} />
        <TermHelp term="proof" />
      </span>
      <Button
        variant="primary"
        icon={FileText}
        isPending={paper.isPending}
        isDisabled={isEmpty}
        onPress={() => paper.mutate()}
      >
        {t('reports.paper')}
      </Button>
      {isKeeping && (
        <Suspense>
          <SavedReports data={data} onClose={() => setKeeping(false)} />
        </Suspense>
      )}
    </>
  );
}
