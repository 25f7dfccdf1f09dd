import type { ReactNode } from 'react';
import { FormDialog } from '../components/Dialog.tsx';
import { KeptNotice } from './KeptNotice.tsx';

type KeptDialogProps = {
  title: ReactNode;
  /** Of a form that has a `place`: what is typed into it is kept until it is sent, or not wanted any more. */
  form: Pick<Parameters<typeof KeptNotice>[0], 'offer'> & {
    readonly send: () => void;
    readonly discard: () => void;
    readonly isPending: boolean;
  };
  submit: string;
  onClose: () => void;
  children: ReactNode;
};

/** A form in a dialog that offers what somebody had typed into it when they were interrupted. */
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
