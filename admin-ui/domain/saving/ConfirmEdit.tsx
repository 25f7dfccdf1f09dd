import { type Edit, useEdit } from '../../api/editing/useEdit.ts';
import { ConfirmDialog, type ConfirmProps } from '../../components/controls/Dialog.tsx';

export type ConfirmEditProps<R> = Omit<Edit<void, R>, 'done'> & Omit<ConfirmProps, 'isPending' | 'onConfirm'>;

/** Dialog that asks for confirmation, makes the change, and closes when the change is saved. */
export function ConfirmEdit<R>({ title, confirm, danger, children, onClose, ...change }: ConfirmEditProps<R>) {
  const edit = useEdit<void, R>({ ...change, done: onClose });
  return (
    <ConfirmDialog
      title={title}
      confirm={confirm}
      danger={danger}
      isPending={edit.isPending}
      onConfirm={() => edit.mutate()}
      onClose={onClose}
    >
      {children}
    </ConfirmDialog>
  );
}
