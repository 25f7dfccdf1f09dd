import type { ReactNode } from 'react';
import { FormDialog } from '../../components/controls/Dialog.tsx';
import { KeptNotice } from './KeptNotice.tsx';

type KeptDialogProps = {
  title: ReactNode;
  /** A form with a `place`: its input is kept in the browser until it is sent or discarded. */
  form: Pick<Parameters<typeof KeptNotice>[0], 'offer'> & {
    readonly send: () => void;
    readonly discard: () => void;
    readonly isPending: boolean;
  };
  submit: string;
  onClose: () => void;
  children: ReactNode;
};

/** A dialog with a form. Offers input that was typed before an interruption. */
export function KeptDialog({ title, form, submit, onClose, children }: KeptDialogProps) {
  return (
    <FormDialog
      title={title}
      onClose={() => {
        form.discard();
        onClose();
      }}
      onSubmit={form.send}
      submit={submit}
      isPending={form.isPending}
    >
      <KeptNotice offer={form.offer} />
      {children}
    </FormDialog>
  );
}
