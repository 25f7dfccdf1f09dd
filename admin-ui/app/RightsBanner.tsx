import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Me } from '../../shared/contract/auth.ts';
import { groupsQuery } from '../data/groups.ts';
import { useFormat } from '../i18n/useFormat.ts';
import './RightsBanner.css';

/** The library says for itself what of it one may change; the others are one's own, or change nothing. */
const ELSEWHERE = /^\/(content|account|help|about|settings|reports|activity|bin)\b/;

/** Says above the pages why so much of them can be looked at alone, to whom it concerns. */
export function RightsBanner({ me }: { me: Me }) {
  const { t } = useTranslation();
  const format = useFormat();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const { duty, group_ids } = me.rights;
  const groups = useQuery({ ...groupsQuery, enabled: group_ids !== null }).data;
  if (ELSEWHERE.test(path) || (duty === 'all' && !groups)) return null;
  const names = (groups ?? []).filter(({ id }) => group_ids?.includes(id)).map(({ name }) => name);
  return (
    <p className="rights-banner" role="status">
      <ShieldCheck size={16} aria-hidden />
      {duty === 'upload'
        ? t('rights.uploadOnly')
        : names.length === 0
          ? t('rights.ownGroupsGone')
          : t('rights.ownGroups', { names: format.list(names) })}
    </p>
  );
}
