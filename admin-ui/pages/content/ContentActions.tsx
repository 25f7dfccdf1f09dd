import { useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BIN_DAYS } from '../../../shared/contract/content/bin.ts';
import type { Content, ContentUsage } from '../../../shared/contract/content/content.ts';
import type { Valid } from '../../../shared/contract/content/validity.ts';
import { contentUsageQuery, labelsQuery } from '../../api/files/content.ts';
import { Button } from '../../components/controls/Button.tsx';
import { ConfirmDialog, FormDialog } from '../../components/controls/Dialog.tsx';
import { toast } from '../../components/controls/toasts.ts';
import { TextField } from '../../components/fields/TextField.tsx';
import { useBringBack } from '../../domain/saving/useBringBack.ts';
import { ValidityFields } from '../../domain/time/ValidityFields.tsx';
import { endsBeforeItBegins } from '../../domain/time/validity.utils.ts';
import { FolderPicker } from './folders/FolderPicker.tsx';
import { useFolders } from './folders/useFolders.ts';
import { UsageList } from './UsageList.tsx';
import { isUsed, mergeUsages } from './usage.utils.ts';
import type { ContentEdits } from './useContentEdits.ts';

/** Props of the dialogs for the selected contents. */
type Props = { contents: readonly Content[]; edits: ContentEdits; onClose: () => void; onDone: () => void };

export function MoveContent({ contents, edits, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const { folders } = useFolders();
  const [first] = contents;
  const [to, setTo] = useState(first?.folder_id ?? null);
  const [busy, setBusy] = useState(false);
  const move = async () => {
    setBusy(true);
    await edits.move(contents, to, folders.find((f) => f.id === to)?.name ?? t('content.noFolder'));
    onDone();
  };
  return (
    <FormDialog
      title={t('content.moveMany', { count: contents.length, name: first?.filename ?? '' })}
      onClose={onClose}
      onSubmit={() => void move()}
      submit={t('content.move')}
      isPending={busy}
      isDisabled={contents.every((c) => c.folder_id === to)}
    >
      {folders.length === 0 && <p>{t('content.moveNoFolders')}</p>}
      <FolderPicker value={to} onChange={setTo} />
    </FormDialog>
  );
}

/** Dialog that sets one free-text label for all selected contents. An empty text removes the label. */
export function LabelContent({ contents, edits, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const labels = useQuery(labelsQuery).data ?? [];
  const [first] = contents;
  const [label, setLabel] = useState(contents.every((c) => c.folder === first?.folder) ? (first?.folder ?? '') : '');
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    await edits.label(contents, label.trim());
    onDone();
  };
  return (
    <FormDialog
      title={t('content.labelMany', { count: contents.length, name: first?.filename ?? '' })}
      onClose={onClose}
      onSubmit={() => void save()}
      submit={label.trim() ? t('content.labelSet') : t('content.labelClear')}
      isPending={busy}
      isDisabled={contents.every((c) => c.folder === label.trim())}
    >
      <TextField
        label={t('content.label')}
        hint={t('content.labelHint')}
        value={label}
        onChange={setLabel}
        autoFocus
        maxLength={200}
      />
      {labels.length > 0 && (
        <ul className="label-choices" aria-label={t('content.labels')}>
          {labels.slice(0, 30).map(({ folder }) => (
            <li key={folder}>
              <Button size="small" onPress={() => setLabel(folder)}>
                {folder}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </FormDialog>
  );
}

const sameOf = (contents: readonly Content[], bound: keyof Valid): string | null => {
  const [first, ...others] = contents.map((content) => content[bound]);
  return others.every((other) => other === first) ? (first ?? null) : null;
};

/** Dialog that sets the period of validity of all selected contents. */
export function LimitContent({ contents, edits, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const [valid, setValid] = useState<Valid>({
    valid_from: sameOf(contents, 'valid_from'),
    valid_until: sameOf(contents, 'valid_until'),
  });
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    await edits.limit(contents, valid);
    onDone();
  };
  return (
    <FormDialog
      title={t('content.limitMany', { count: contents.length, name: contents[0]?.filename ?? '' })}
      onClose={onClose}
      onSubmit={() => void save()}
      submit={t('common.save')}
      isPending={busy}
      isDisabled={endsBeforeItBegins(valid)}
    >
      <ValidityFields valid={valid} onChange={(change) => setValid({ ...valid, ...change })} />
    </FormDialog>
  );
}

/**
 * Deletes contents. Unused contents are deleted at once and can be restored. For contents in use, a dialog shows the
 * effect and asks for confirmation.
 */
export function DeleteContent({ contents, edits, onClose, onDone }: Props) {
  const answers = useQueries({
    queries: contents.map((content) => ({ ...contentUsageQuery(content.id), staleTime: 0 })),
  });
  const begun = useRef(false);
  const [asked, setAsked] = useState(false);
  // While a cached answer is being fetched again, only the new answer counts.
  const ready = answers.every((a) => (a.data && !a.isFetching) || a.isError);
  const usage = mergeUsages(answers.flatMap((a) => (a.data ? [a.data] : [])));
  // Once shown, the confirmation stays: it must not disappear under the pointer when an answer is fetched again.
  if (ready && !asked && isUsed(usage)) setAsked(true);
  const unused = ready && !asked && !isUsed(usage);
  useEffect(() => {
    if (!unused || begun.current) return;
    begun.current = true;
    edits.removeUnused(contents);
    onDone();
  }, [unused, contents, edits, onDone]);
  if (!asked) return null;
  return <AskFirst contents={contents} usage={usage} edits={edits} onClose={onClose} onDone={onDone} />;
}

function AskFirst({ contents, usage, edits, onClose, onDone }: Props & { usage: ContentUsage }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const bringBack = useBringBack();
  const [first] = contents;
  const name = first?.filename ?? '';
  const count = contents.length;
  const remove = async () => {
    setBusy(true);
    const screens = await edits.removeUsed(contents);
    toast({
      tone: 'done',
      text: t('content.deletedMany', { count, name }),
      detail: screens > 0 ? t('content.deletedScreens', { count: screens }) : undefined,
      action: { label: t('common.undo'), run: () => bringBack.mutate({ refs: contents.map(({ id }) => id) }) },
    });
    onDone();
  };
  return (
    <ConfirmDialog
      title={t('content.deleteAsk', { count, name })}
      confirm={t('common.delete')}
      danger
      isPending={busy}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <p>{t('content.deleteUsed', { count })}</p>
      <UsageList usage={usage} />
      <p>{t('bin.liesThere', { count: BIN_DAYS })}</p>
    </ConfirmDialog>
  );
}
