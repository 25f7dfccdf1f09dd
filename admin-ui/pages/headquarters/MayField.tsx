import { useTranslation } from 'react-i18next';
import type { ChainLink } from '../../../shared/contract/headquarters/chain.ts';
import { Select } from '../../components/choices/Select.tsx';

type May = ChainLink['may'];
const LEVELS = ['workspace_admin', 'workspace_editor', 'workspace_viewer', 'nobody'] as const;

/** Field for the highest role that users of headquarters have in this store. */
export function MayField({ may, onChange }: { may: May; onChange: (may: May) => void }) {
  const { t } = useTranslation();
  return (
    <Select
      label={t('chain.may')}
      hint={t('chain.mayHint')}
      value={may ?? 'nobody'}
      options={LEVELS.map((value) => ({ value, label: t(`chain.mays.${value}`), hint: t(`chain.mayHints.${value}`) }))}
      onChange={(level) => onChange(level === 'nobody' ? null : level)}
    />
  );
}
