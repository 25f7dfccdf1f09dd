import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Topic } from '../../shared/protocol/live.ts';
import { ConfirmDialog } from '../components/Dialog.tsx';
import { toast } from '../components/toasts.ts';
import { useEdit } from '../data/useEdit.ts';
import type { Way } from './NotFound.tsx';

type DeleteRecordProps<R> = {
  topics: readonly Topic[];
  run: () => Promise<R>;
  /** Where its page leads when it is gone. */
  to: Way['to'];
  ask: string;
  /** @default "Delete" */
  confirm?: string;
  done: (gone: R) => { text: string; detail?: string | undefined };
  onClose: () => void;
  /** What it affects. */
  children: ReactNode;
};

/** Asks, deletes the record whose page this is, and leaves. Changes to it that were not saved are no reason to stay. */
export function DeleteRecord<R>({ topics, run, to, ask, confirm, done, onClose, children }: DeleteRecordProps<R>) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const remove = useEdit<void, R>({
    topics,
    run: async () => {
      const gone = await run();
      // The page of what is gone would only ask for it again.
      await navigate({ to, ignoreBlocker: true });
      return gone;
    },
    done: (gone) => toast({ tone: 'done', ...done(gone) }),
  });
  return (
    <ConfirmDialog
      title={ask}
      confirm={confirm ?? t('common.delete')}
      danger
      isPending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {children}
    </ConfirmDialog>
  );
}
