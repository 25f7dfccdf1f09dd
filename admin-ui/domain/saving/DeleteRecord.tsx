import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BIN_DAYS, type RecordKind } from '../../../shared/contract/content/bin.ts';
import { placesQuery } from '../../api/bin.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import type { Way } from '../records/NotFound.tsx';
import { ConfirmEdit, type ConfirmEditProps } from './ConfirmEdit.tsx';
import { useBringBack } from './useBringBack.ts';

type DeleteRecordProps<R> = Omit<ConfirmEditProps<R>, 'confirm' | 'danger'> & {
  /** The list of records that opens after the deletion. */
  to: Way['to'];
  /** @default "Delete" */
  confirm?: string;
  /**
   * Kind and id of a record that goes into the bin: the dialog lists where the record is used, and the toast message
   * offers to restore the record.
   */
  binned?: { readonly kind: RecordKind; readonly id: string };
};

/**
 * Dialog that asks for confirmation, deletes the record of the page, and leaves the page. Unsaved changes to the
 * record do not prevent leaving.
 */
export function DeleteRecord<R>({ run, to, confirm, binned, said, children, ...asked }: DeleteRecordProps<R>) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const bringBack = useBringBack();
  const action = binned && { label: t('common.undo'), run: () => bringBack.mutate({ refs: [binned.id] }) };
  return (
    <ConfirmEdit
      {...asked}
      confirm={confirm ?? t('common.delete')}
      danger
      run={async () => {
        const gone = await run();
        // Leaves first, because the page of the deleted record would only request the record again.
        await navigate({ to, ignoreBlocker: true });
        return gone;
      }}
      said={(gone) => {
        const told = said?.(gone);
        if (!told || !action) return told;
        return { ...(typeof told === 'string' ? { text: told } : told), action };
      }}
    >
      {children}
      {binned && <Places {...binned} />}
      {binned && <p>{t('bin.liesThere', { count: BIN_DAYS })}</p>}
    </ConfirmEdit>
  );
}

/** Maximum number of listed uses. Further uses are only counted. */
const NAMED = 8;

/** Lists the records that use the deleted record and will lose it. */
function Places({ kind, id }: { kind: RecordKind; id: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { places, total } = useQuery(placesQuery(kind, id)).data ?? { places: [], total: 0 };
  if (total === 0) return null;
  const names = places.slice(0, NAMED).map((place) => t(`bin.place.${place.kind}`, { name: place.name }));
  const more = total - names.length;
  return (
    <p>{t('bin.missedIn', { names: format.list(more > 0 ? [...names, t('bin.more', { count: more })] : names) })}</p>
  );
}
