import { useTranslation } from 'react-i18next';
import { OWNERS, type Owner } from '../../../shared/contract/people/owner.ts';
import { Segments } from '../../components/choices/Choices.tsx';

type OwnerFilterProps = { owner: Owner | undefined; onChange: (owner: Owner | undefined) => void };

/** Filter for records of the store or of headquarters. */
export function OwnerFilter({ owner, onChange }: OwnerFilterProps) {
  const { t } = useTranslation();
  return (
    <Segments<Owner | 'all'>
      label={t('held.owner.label')}
      value={owner ?? 'all'}
      onChange={(next) => onChange(next === 'all' ? undefined : next)}
      options={(['all', ...OWNERS] as const).map((value) => ({ value, label: t(`held.owner.${value}`) }))}
    />
  );
}
