import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Me } from '../../../shared/contract/people/auth.ts';
import { groupsQuery } from '../../api/groups.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import './RightsBanner.css';

/**
 * Matches pages without the banner: the library has its own hint, and the other pages are personal or change
 * nothing.
 */
const ELSEWHERE = /^\/(content|account|help|about|settings|reports|activity|bin)\b/;

/** Banner above a page that explains to users with limited rights why they can only view most of it. */
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
