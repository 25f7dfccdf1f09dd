import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { fillWidget, namesUsedBy, valuesOf } from '../../../shared/chain/values.ts';
import type { WidgetType } from '../../../shared/contract/content/widget-types.ts';
import { chainStoresQuery } from '../../api/chain/stores.ts';
import { storeValuesQuery } from '../../api/chain/storeValues.ts';
import { Select } from '../../components/choices/Select.tsx';
import { Notice } from '../../components/frame/Page.tsx';
import type { Config } from '../../domain/saving/useConfigDraft.ts';
import { useFormat } from '../../i18n/useFormat.ts';

const NONE = 'none';

type Draft = { readonly widget_type: WidgetType; readonly config: Config };

/** Returns the draft filled with the values of a store; unchanged without a store. */
export const useFilled = (draft: Draft, storeId: string | undefined) => {
  const stores = useQuery({ ...chainStoresQuery, enabled: storeId !== undefined }).data;
  const values = useQuery({ ...storeValuesQuery(storeId ?? ''), enabled: storeId !== undefined }).data?.values.values;
  const store = stores?.find(({ id }) => id === storeId);
  if (!store || !values) return { config: draft.config, lacking: [], store: undefined };
  const { config, troubles } = fillWidget(draft, valuesOf({ ...store, values }));
  return { config, lacking: troubles.flatMap((one) => (one.kind === 'lacks' ? one.name : [])), store: store.name };
};

type PreviewStoreProps = {
  draft: Draft;
  filled: ReturnType<typeof useFilled>;
  storeId: string | undefined;
  onChange: (id: string | undefined) => void;
};

/** For a widget that uses values of stores: chooses the store whose values the preview uses, and shows problems. */
export function PreviewStore({ draft, filled, storeId, onChange }: PreviewStoreProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const stores = useQuery(chainStoresQuery).data ?? [];
  const { wrong, isTemplate } = namesUsedBy(draft);
  if (!isTemplate) return null;
  return (
    <div className="preview-store">
      <Select
        label={t('storeValues.preview')}
        value={storeId ?? NONE}
        options={[
          { value: NONE, label: t('storeValues.previewNone') },
          ...stores.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(id) => onChange(id === NONE ? undefined : id)}
      />
      {wrong === 'braces' && <Notice tone="warn" title={t('storeValues.wrongBraces', { example: '{{price}}' })} />}
      {wrong === 'place' && <Notice tone="warn" title={t('storeValues.wrongPlace')} />}
      {filled.store !== undefined && filled.lacking.length > 0 && (
        <Notice
          tone="warn"
          title={t('storeValues.lacks', { name: filled.store, values: format.list([...new Set(filled.lacking)]) })}
        />
      )}
    </div>
  );
}
