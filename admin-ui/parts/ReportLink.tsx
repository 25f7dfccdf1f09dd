import { ChartColumn } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { SearchKind } from '../../shared/contract/search.ts';
import { ButtonLink } from '../components/Button.tsx';

type Props = {
  /** What the report is to be of. */
  of: { kind: Extract<SearchKind, 'content' | 'plan' | 'group' | 'playlist'>; id: string };
  /** @default the last month: what customers are sent */
  range?: 'lastMonth' | 'thisMonth';
  size?: 'small' | 'medium';
};

/** To the report of one thing, for a customer: from there it is one click to the PDF. */
export function ReportLink({ of: { kind, id }, range = 'lastMonth', size = 'medium' }: Props) {
  const { t } = useTranslation();
  return (
    <ButtonLink
      to="/reports"
      search={{ only: `${kind}:${encodeURIComponent(id)}`, range }}
      icon={ChartColumn}
      size={size}
    >
      {t('reports.report')}
    </ButtonLink>
  );
}
