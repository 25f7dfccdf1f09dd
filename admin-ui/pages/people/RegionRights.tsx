import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { RegionRole } from '../../../shared/contract/people/rights.ts';
import { storeCountsQuery } from '../../api/chain/stores.ts';
import { Checkbox } from '../../components/choices/Choices.tsx';
import { RadioCards } from '../../components/choices/RadioCards.tsx';
import { Select } from '../../components/choices/Select.tsx';
import { Notice } from '../../components/frame/Page.tsx';
import { roles } from './people.utils.ts';

type Props = { value: RegionRole[] | null; onChange: (regions: RegionRole[] | null) => void };

/** Rights at headquarters: all stores, or some regions with the user's role in each region. */
export function RegionRights({ value, onChange }: Props) {
  const { t } = useTranslation();
  const known = useQuery(storeCountsQuery).data?.regions ?? [];
  const given = new Map(value?.map((one) => [one.region, one.role]));
  const regions = [...new Set([...known, ...given.keys()])];
  const which = ['all', 'some'] as const;
  const give = (region: string, role: RegionRole['role'] | undefined) =>
    onChange(
      regions.flatMap((one) => {
        const has = one === region ? role : given.get(one);
        return has ? [{ region: one, role: has }] : [];
      }),
    );
  return (
    <>
      <RadioCards
        label={t('rights.stores')}
        value={value === null ? 'all' : 'some'}
        onChange={(next) => onChange(next === 'all' ? null : [])}
        options={which.map((one) => ({
          value: one,
          label: t(`rights.storesOf.${one}`),
          hint: t(`rights.storesHints.${one}`),
        }))}
      />
      {value !== null && (
        <fieldset className="rights-some" aria-label={t('rights.stores')}>
          {regions.length === 0 && <p className="field-hint">{t('rights.regionsNone')}</p>}
          <div className="rights-rows">
            {regions.map((region) => {
              const role = given.get(region);
              return (
                <div key={region} className="rights-region">
                  <Checkbox
                    isSelected={role !== undefined}
                    onChange={(on) => give(region, on ? 'workspace_editor' : undefined)}
                  >
                    {region}
                  </Checkbox>
                  {role && (
                    <Select
                      label={t('rights.roleIn', { region })}
                      hideLabel
                      value={role}
                      options={roles.map((one) => ({
                        value: one,
                        label: t(`people.roles.${one}`),
                        hint: t(`rights.roleHints.${one}`),
                      }))}
                      onChange={(next) => give(region, next)}
                    />
                  )}
                </div>
              );
            })}
          </div>
          {value.length === 0 && regions.length > 0 && <Notice tone="info" title={t('rights.noRegion')} />}
        </fieldset>
      )}
    </>
  );
}
