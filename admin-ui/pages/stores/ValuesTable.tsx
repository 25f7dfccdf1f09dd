import { Download, FileUp, Table2 } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useTranslation } from 'react-i18next';
import { importStoreValues, type ValuesTable as Plan } from '../../../shared/contract/headquarters/store-values.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/controls/Dialog.tsx';
import { Notice } from '../../components/frame/Page.tsx';
import '../../components/lists/Table.css';
import { downloadValues } from '../../api/chain/storeValues.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { client } from '../../api/requests/client.ts';
import { TextField } from '../../components/fields/TextField.tsx';
import { worded } from '../../i18n/sentences.ts';
import type { StoresData } from './useStoresData.ts';
import { tableIn } from './values.utils.ts';

/** Maximum number of rows in the dialog. */
const SHOWN = 20;

type Checked = { readonly plan: Plan; readonly etag: string | undefined };

/**
 * Button that opens a dialog for the values of many stores at once: download a table, edit it in a spreadsheet, check
 * it, and import it.
 */
export function ValuesTable({ data }: { data: StoresData }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={Table2} onPress={() => setOpen(true)}>
        {t('storeValues.table')}
      </Button>
      {open && <TableDialog data={data} onClose={() => setOpen(false)} />}
    </>
  );
}

function TableDialog({ data, onClose }: { data: StoresData; onClose: () => void }) {
  const { t } = useTranslation();
  const [table, setTable] = useState('');
  const [checked, setChecked] = useState<Checked>();
  const ask = (text: string, apply: boolean, ifMatch?: string) =>
    client.request(importStoreValues, { body: { table: text, apply }, ...(ifMatch !== undefined && { ifMatch }) });
  const check = useEdit<string, Awaited<ReturnType<typeof ask>>>({
    topics: [],
    run: (text) => ask(text, false),
    done: ({ data: plan, etag }) => setChecked({ plan, etag }),
  });
  const apply = useEdit<void, unknown>({
    topics: ['stores', 'campaigns', 'chain'],
    run: () => ask(table, true, checked?.etag),
    done: onClose,
    said: () => t('storeValues.applied', { count: checked?.plan.changed_stores ?? 0 }),
  });
  const save = useEdit<void, void>({ topics: [], run: () => downloadValues(data.filter) });
  const write = (text: string) => {
    setTable(text);
    setChecked(undefined);
  };
  const read = async (file: File) => {
    const text = tableIn(await file.arrayBuffer());
    write(text);
    if (text !== '') check.mutate(text);
  };
  const isGood = checked !== undefined && checked.plan.wrong === 0 && checked.plan.changed > 0;
  return (
    <Dialog
      title={t('storeValues.table')}
      size="wide"
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          {isGood ? (
            <Button variant="primary" isPending={apply.isPending} onPress={() => apply.mutate()}>
              {t('storeValues.apply', { count: checked.plan.changed_stores })}
            </Button>
          ) : (
            <Button
              variant="primary"
              isPending={check.isPending}
              isDisabled={table.trim() === '' || checked !== undefined}
              onPress={() => check.mutate(table)}
            >
              {t('storeValues.check')}
            </Button>
          )}
        </>
      }
    >
      <p>{t('storeValues.tableHelp')}</p>
      <div className="form-actions">
        <Button size="small" icon={Download} isPending={save.isPending} onPress={() => save.mutate()}>
          {t('storeValues.download')}
        </Button>
        <FileTrigger
          acceptedFileTypes={['.csv', '.txt', '.tsv']}
          onSelect={(files) => files?.[0] && void read(files[0])}
        >
          <Button size="small" icon={FileUp}>
            {t('storeValues.upload')}
          </Button>
        </FileTrigger>
      </div>
      <div className="code-text">
        <TextField
          label={t('storeValues.rows')}
          hint={t('storeValues.rowsHint')}
          value={table}
          onChange={write}
          multiline
          spellCheck="false"
          autoFocus
        />
      </div>
      <div role="status">{checked && <Found plan={checked.plan} />}</div>
    </Dialog>
  );
}

function Found({ plan }: { plan: Plan }) {
  const { t } = useTranslation();
  if (plan.wrong > 0)
    return (
      <Notice tone="bad" title={t('storeValues.wrong', { count: plan.wrong })}>
        <ul>
          {plan.mistakes.slice(0, SHOWN).map(({ line, column, error }) => (
            <li key={`${line} ${column} ${error}`}>
              {t('storeValues.mistake', { line, column })} {worded(error)}
            </li>
          ))}
        </ul>
        {plan.wrong > SHOWN && <p>{t('storeValues.more', { count: plan.wrong - SHOWN })}</p>}
      </Notice>
    );
  if (plan.changed === 0) return <Notice tone="info" title={t('storeValues.nothing', { count: plan.stores })} />;
  return (
    <>
      <p>
        <strong>{t('storeValues.changes', { count: plan.changed_stores, values: plan.changed })}</strong>
      </p>
      <div className="table-box">
        <table className="table stack">
          <thead>
            <tr>
              <th scope="col">{t('stores.column.store')}</th>
              <th scope="col">{t('storeValues.name')}</th>
              <th scope="col">{t('storeValues.before')}</th>
              <th scope="col">{t('storeValues.after')}</th>
            </tr>
          </thead>
          <tbody>
            {plan.changes.slice(0, SHOWN).map(({ store_id, store_name, name, before, after }) => (
              <tr key={`${store_id} ${name}`}>
                <th scope="row">{store_name}</th>
                <td data-label={t('storeValues.name')}>{name}</td>
                <td data-label={t('storeValues.before')}>{before ?? '–'}</td>
                <td data-label={t('storeValues.after')}>{after ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {plan.changed > SHOWN && <p className="note">{t('storeValues.more', { count: plan.changed - SHOWN })}</p>}
    </>
  );
}
