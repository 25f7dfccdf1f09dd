import { useQuery } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import {
  MAX_VALUE_CHARS,
  MAX_VALUE_NAME,
  MAX_VALUES,
  StoreValues,
  ValueName,
} from '../../../../shared/chain/values.ts';
import { setStoreValues } from '../../../../shared/contract/headquarters/store-values.ts';
import type { Store } from '../../../../shared/contract/headquarters/stores.ts';
import { storeValuesQuery, valueNamesQuery } from '../../../api/chain/storeValues.ts';
import { useForm } from '../../../api/editing/useForm.ts';
import { client } from '../../../api/requests/client.ts';
import { Button, IconButton } from '../../../components/controls/Button.tsx';
import { TextField } from '../../../components/fields/TextField.tsx';
import { Facts } from '../../../components/frame/Facts.tsx';
import { Bone, Section } from '../../../components/frame/Page.tsx';
import { Unanswered } from '../../../domain/records/QueryFailure.tsx';
import { KeptDialog } from '../../../domain/saving/KeptDialog.tsx';
import { mistakeIn, type Row, rowsOf, valuesIn } from '../values.utils.ts';

/** Section with the values of a store that campaigns use. */
export function ValuesSection({ store, mayManage }: { store: Store; mayManage: boolean }) {
  const { t } = useTranslation();
  const query = useQuery(storeValuesQuery(store.id));
  const [editing, setEditing] = useState(false);
  const { values, etag } = query.data ?? {};
  const facts = Object.entries(values?.values ?? {}).sort(([a], [b]) => a.localeCompare(b));
  return (
    <Section
      title={t('storeValues.title')}
      lead={t('storeValues.lead')}
      actions={
        mayManage &&
        values && (
          <Button size="small" icon={Pencil} onPress={() => setEditing(true)}>
            {t('storeValues.edit')}
          </Button>
        )
      }
    >
      <Unanswered query={query} bones={<Bone height="5rem" radius="var(--r-l)" />} />
      {values && facts.length === 0 && <p className="note">{t('storeValues.none')}</p>}
      {facts.length > 0 && (
        <div className="card pad store-values">
          <Facts facts={facts} />
        </div>
      )}
      {editing && values && (
        <EditValues store={store} values={values.values} etag={etag} onClose={() => setEditing(false)} />
      )}
    </Section>
  );
}

type EditProps = {
  store: Store;
  values: Readonly<Record<string, string>>;
  etag: string | undefined;
  onClose: () => void;
};

const Form = z.object({ rows: z.array(z.unknown()) });

function EditValues({ store: { id, name }, values, etag, onClose }: EditProps) {
  const { t } = useTranslation();
  const others = (useQuery(valueNamesQuery).data ?? []).filter((one) => ValueName.safeParse(one.name).success);
  const form = useForm<{ rows: readonly Row[] }, unknown>({
    place: `stores/${id}/values`,
    start: { rows: rowsOf(values) },
    schema: Form.refine(
      ({ rows }) =>
        StoreValues.safeParse(valuesIn(rows as Row[])).success &&
        rows.every((_, at) => mistakeIn(rows as Row[], at) === undefined),
    ),
    topics: ['stores', 'campaigns', 'chain'],
    run: ({ rows }) =>
      client.call(setStoreValues, {
        params: { id },
        body: { values: valuesIn(rows) },
        ...(etag !== undefined && { ifMatch: etag }),
      }),
    done: onClose,
    said: () => t('common.saved'),
  });
  const { rows } = form.values;
  const set = (at: number, change: Partial<Row>) =>
    form.set({ rows: rows.map((row, i) => (i === at ? { ...row, ...change } : row)) });
  const add = (added = '') => form.set({ rows: [...rows, { name: added, text: '' }] });
  const known = new Set(rows.map((row) => row.name.trim()));
  const wrongIn = (all: readonly Row[], at: number) => {
    const mistake = mistakeIn(all, at);
    return mistake && t(`storeValues.mistakes.${mistake}`);
  };
  return (
    <KeptDialog title={t('storeValues.editTitle', { name })} form={form} submit={t('common.save')} onClose={onClose}>
      <p>{t('storeValues.editHelp')}</p>
      <ul className="value-rows">
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row has no identity but its place
          <li key={at}>
            <TextField
              label={t('storeValues.name')}
              value={row.name}
              onChange={(next) => set(at, { name: next })}
              error={wrongIn(rows, at)}
              maxLength={MAX_VALUE_NAME}
              autoComplete="off"
              spellCheck="false"
            />
            <TextField
              label={t('storeValues.value')}
              value={row.text}
              onChange={(next) => set(at, { text: next })}
              maxLength={MAX_VALUE_CHARS}
              autoComplete="off"
            />
            <IconButton
              icon={Trash2}
              label={t('storeValues.remove', { name: row.name || at + 1 })}
              onPress={() => form.set({ rows: rows.filter((_, i) => i !== at) })}
            />
          </li>
        ))}
      </ul>
      <div className="form-actions">
        <Button icon={Plus} size="small" isDisabled={rows.length >= MAX_VALUES} onPress={() => add()}>
          {t('storeValues.add')}
        </Button>
        {others
          .filter((one) => !known.has(one.name))
          .slice(0, 8)
          .map((one) => (
            <Button key={one.name} icon={Plus} size="small" variant="quiet" onPress={() => add(one.name)}>
              {one.name}
            </Button>
          ))}
      </div>
    </KeptDialog>
  );
}
