import { useQueries } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Content, ContentUsage } from '../../../shared/contract/content.ts';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { toast } from '../../components/toasts.ts';
import { contentUsageQuery } from '../../data/content.ts';
import { UsageList } from './UsageList.tsx';
import { isUsed, mergeUsages } from './usage.utils.ts';
import type { ContentEdits } from './useContentEdits.ts';

type Props = { contents: readonly Content[]; edits: ContentEdits; onClose: () => void; onDeleted: () => void };

/** What nothing shows goes at once and can be had back; what is in use is asked about, with what it means. */
export function DeleteContent({ contents, edits, onClose, onDeleted }: Props) {
  const answers = useQueries({
    queries: contents.map((content) => ({ ...contentUsageQuery(content.id), staleTime: 0 })),
  });
  const begun = useRef(false);
  const [asked, setAsked] = useState(false);
  // An answer of before that is asked for anew counts only when the new one has come.
  const ready = answers.every((a) => (a.data && !a.isFetching) || a.isError);
  const usage = mergeUsages(answers.flatMap((a) => (a.data ? [a.data] : [])));
  // What has been asked stays until it is answered: it must not vanish under the pointer when something is asked for
  // anew.
  if (ready && !asked && isUsed(usage)) setAsked(true);
  const unused = ready && !asked && !isUsed(usage);
  useEffect(() => {
    if (!unused || begun.current) return;
    begun.current = true;
    edits.removeUnused(contents);
    onDeleted();
  }, [unused, contents, edits, onDeleted]);
  if (!asked) return null;
  return <AskFirst contents={contents} usage={usage} edits={edits} onClose={onClose} onDeleted={onDeleted} />;
}

function AskFirst({ contents, usage, edits, onClose, onDeleted }: Props & { usage: ContentUsage }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
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
    });
    onDeleted();
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
      <p>{t('common.deleteForGood')}</p>
    </ConfirmDialog>
  );
}
