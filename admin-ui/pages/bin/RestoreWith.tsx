import { useTranslation } from 'react-i18next';
import type { BinEntry } from '../../../shared/contract/content/bin.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/controls/Dialog.tsx';

/** Maximum number of entries that the dialog names. Further entries are only counted. */
const NAMED = 10;

type RestoreWithProps = {
  entry: BinEntry;
  /** The other entries that belong to the restored entry, in the order of restoring. */
  related: readonly BinEntry[];
  onRestore: (entries: readonly string[]) => void;
  onClose: () => void;
};

/** Dialog that asks whether a deleted record is restored together with the deleted records that belong to it. */
export function RestoreWith({ entry, related, onRestore, onClose }: RestoreWithProps) {
  const { t } = useTranslation();
  const { id, name } = entry;
  const more = related.length - NAMED;
  const isFiles = related.every(({ kind }) => kind === 'content');
  return (
    <Dialog
      title={t('bin.with.title', { name })}
      onClose={onClose}
      actions={
        <>
          <Button onPress={() => onRestore([id])}>{t('bin.with.only', { name })}</Button>
          <Button variant="primary" autoFocus onPress={() => onRestore([...related.map((one) => one.id), id])}>
            {t(isFiles ? 'bin.with.files' : 'bin.with.all', { count: related.length })}
          </Button>
        </>
      }
    >
      <p>{t('bin.with.lead', { name })}</p>
      <ul>
        {related.slice(0, NAMED).map((one) => (
          <li key={one.id}>
            {t(`bin.kind.${one.kind}`)}: {one.name}
          </li>
        ))}
        {more > 0 && <li>{t('bin.with.more', { count: more })}</li>}
      </ul>
    </Dialog>
  );
}
