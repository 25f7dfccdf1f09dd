import { PeriodFields } from '../../domain/time/PeriodFields.tsx';
import { ReportOnly } from './ReportOnly.tsx';
import type { ReportsData } from './useReportsData.ts';

export function ReportFilter({ data }: { data: ReportsData }) {
  return (
    <div className="report-filter">
      <PeriodFields range={data.range} onShow={data.show} />
      <ReportOnly data={data} />
    </div>
  );
}
