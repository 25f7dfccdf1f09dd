import { Link } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { RightsKind } from '../../../shared/contract/people/rights.ts';
import { useManaged } from '../../api/chain/managed.ts';
import './ManagedMark.css';

type ManagedMarkProps = {
  kind: RightsKind;
  id: string;
  /** Links to the campaign. Must be false inside another link. */
  isLink?: boolean;
};

/** Marks a record of headquarters with its campaign. Shows nothing for the store's own records. */
export function ManagedMark({ kind, id, isLink = false }: ManagedMarkProps) {
  const { t } = useTranslation();
  const held = useManaged(kind, id);
  if (!held) return null;
  const said = (
    <>
      <Lock aria-hidden />
      <span>{t('held.from', { campaign: held.campaign_name })}</span>
    </>
  );
  return isLink ? (
    <Link to="/schedule/headquarters" className="held-mark">
      {said}
    </Link>
  ) : (
    <span className="held-mark" title={t('held.from', { campaign: held.campaign_name })}>
      {said}
    </span>
  );
}
