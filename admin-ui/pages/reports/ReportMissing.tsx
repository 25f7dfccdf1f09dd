import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Shortfall } from '../../../shared/contract/server/reports.ts';
import { Button } from '../../components/controls/Button.tsx';
import '../../components/lists/ListRow.css';
import { Section } from '../../components/frame/Page.tsx';
import { worded } from '../../i18n/sentences.ts';
import { useFormat } from '../../i18n/useFormat.ts';

const FIRST = 5;

/** Section with the screens that showed less than planned, and the known reasons. */
export function ReportMissing({ shortfalls }: { shortfalls: readonly Shortfall[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const reasonsOf = useReasons();
  const [all, setAll] = useState(false);
  if (shortfalls.length === 0) return null;
  const shown = all ? shortfalls : shortfalls.slice(0, FIRST);
  return (
    <Section title={t('reports.missing')} lead={t('reports.missingLead')}>
      <ul className="card report-rows">
        {shown.map((row) => (
          <li key={row.device_id} className="list-row">
            <div className="row-what">
              <strong>
                {row.removed_at === null ? (
                  <Link to="/screens/$screenId" params={{ screenId: row.device_id }}>
                    {row.device_name}
                  </Link>
                ) : (
                  row.device_name || t('find.gone')
                )}
              </strong>
              <small>{reasonsOf(row).join(' ')}</small>
            </div>
            <span className="report-missed">{t('reports.missed', { time: format.span(row.missing_seconds) })}</span>
          </li>
        ))}
      </ul>
      {shown.length < shortfalls.length && (
        <Button variant="quiet" onPress={() => setAll(true)}>
          {t('reports.more', { count: shortfalls.length - shown.length })}
        </Button>
      )}
    </Section>
  );
}

const useReasons = () => {
  const { t } = useTranslation();
  const format = useFormat();
  return (row: Shortfall): string[] => {
    const reasons = [
      ...(row.off_seconds > 0 ? [t('reports.why.off', { time: format.span(row.off_seconds) })] : []),
      ...(row.off_since === null ? [] : [t('reports.why.offSince', { when: format.dateTime(row.off_since) })]),
      ...(row.program_seconds > 0 ? [t('reports.why.program', { time: format.span(row.program_seconds) })] : []),
      ...(row.faults > 0 ? [t('reports.why.faults', { count: row.faults, last: worded(row.last_fault ?? '') })] : []),
      ...(row.added_at === null ? [] : [t('reports.why.added', { when: format.dateTime(row.added_at) })]),
      ...(row.removed_at === null ? [] : [t('reports.why.removed', { when: format.dateTime(row.removed_at) })]),
    ];
    return reasons.length > 0 ? reasons : [t('reports.why.unknown')];
  };
};
