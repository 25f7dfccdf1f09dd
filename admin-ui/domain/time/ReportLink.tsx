import { ChartColumn } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { SearchKind } from '../../../shared/contract/server/search.ts';
import { ButtonLink } from '../../components/controls/Button.tsx';

type Props = {
  /** The record that the report is about. */
  of: { kind: Extract<SearchKind, 'content' | 'plan' | 'group' | 'playlist'>; id: string };
  /** @default the last month, which customers usually get */
  range?: 'lastMonth' | 'thisMonth';
  size?: 'small' | 'medium';
};

/** Link to the report of one record. From there, the PDF is one click away. */
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
