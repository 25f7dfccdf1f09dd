import { X } from 'lucide-react';
import { type FormEvent, type MouseEvent, type ReactNode, useRef, useState } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from './Button.tsx';
import './Dialog.css';

type DialogProps = {
  title: ReactNode;
  onClose: () => void;
  children: ReactNode;
  /** Buttons of the dialog. The main button comes last. */
  actions?: ReactNode;
  /** Called on submit. With it, the dialog is a form, and Enter submits the form. */
  onSubmit?: (() => void) | undefined;
  size?: 'medium' | 'wide' | 'full';
  /** Makes the dialog an alert dialog, for confirmations of actions that cannot be undone. */
  alert?: boolean;
  /** True if each choice in the dialog takes effect at once, so that closing the dialog loses nothing. */
  holdsAtOnce?: boolean;
};

/** Selector of search fields. A text in these fields is not lost work, so closing the dialog asks no question. */
const SEEKS = '[type=search], [role=combobox]';
/** Selector of elements whose click makes a choice. */
const CHOOSES = '[role=option], [role=radio], [role=checkbox], [role=switch], input[type=checkbox], input[type=radio]';
const isIn = (target: EventTarget, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;

/**
 * A dialog. It is open while it is mounted; Escape, the backdrop and the close button close it. If the user has
 * entered something, Escape and the backdrop ask for confirmation first.
 */
export function Dialog({
  title,
  onClose,
  children,
  actions,
  onSubmit,
  size = 'medium',
  alert = false,
  holdsAtOnce = false,
}: DialogProps) {
  const { t } = useTranslation();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The dialog may be inside a form in the React tree. This outer form must not be submitted.
    event.stopPropagation();
    onSubmit?.();
  };
  const entered = useRef(false);
  const [asking, setAsking] = useState(false);
  // React events also come from lists and menus of the dialog, which are elsewhere in the document.
  const watch = {
    onInput: ({ target }: FormEvent) => {
      entered.current ||= !isIn(target, SEEKS);
    },
    onClick: ({ target }: MouseEvent) => {
      entered.current ||= isIn(target, CHOOSES);
    },
    // Forgets the input after a submit, which has saved it.
    onSubmit: () => {
      entered.current = false;
    },
  };
  const leave = () => (entered.current && !holdsAtOnce ? setAsking(true) : onClose());
  const inside = (
    <>
      <div className="dialog-body" {...watch}>
        {children}
      </div>
      {actions && <div className="dialog-foot">{actions}</div>}
    </>
  );
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={(open) => !open && leave()} className="dialog-veil">
      <Modal className={`dialog-box ${size}`}>
        <AriaDialog className="dialog" role={alert ? 'alertdialog' : 'dialog'}>
          <div className="dialog-head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <IconButton icon={X} label={t('common.close')} onPress={onClose} size="small" />
          </div>
          {onSubmit ? <form onSubmit={submit}>{inside}</form> : inside}
          {asking && (
            <ConfirmDialog
              title={t('common.discardAsk')}
              confirm={t('common.discard')}
              cancel={t('common.keepEditing')}
              danger
              onConfirm={onClose}
              onClose={() => setAsking(false)}
            >
              <p>{t('common.discardEffects')}</p>
            </ConfirmDialog>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

type FormDialogProps = Omit<DialogProps, 'actions'> & {
  onSubmit: () => void;
  /** Label of the submit button. */
  submit: ReactNode;
  variant?: 'primary' | 'danger';
  isPending?: boolean;
  isDisabled?: boolean;
};

/** A dialog with a form that its button or Enter submits. */
export function FormDialog({
  submit,
  variant = 'primary',
  isPending = false,
  isDisabled = false,
  ...dialog
}: FormDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      {...dialog}
      actions={
        <>
          <Button onPress={dialog.onClose}>{t('common.cancel')}</Button>
          <Button type="submit" variant={variant} isPending={isPending} isDisabled={isDisabled}>
            {submit}
          </Button>
        </>
      }
    />
  );
}

export type ConfirmProps = {
  title: ReactNode;
  children: ReactNode;
  confirm: string;
  /** @default Cancel */
  cancel?: string;
  danger?: boolean | undefined;
  isPending?: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

/** Dialog that explains an action and asks for confirmation. */
export function ConfirmDialog({
  title,
  children,
  confirm,
  cancel,
  danger = false,
  isPending = false,
  onConfirm,
  onClose,
}: ConfirmProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      title={title}
      alert
      onClose={onClose}
      actions={
        <>
          {/* In a dangerous dialog, "Cancel" has the focus, so that Enter without reading deletes nothing. */}
          <Button onPress={onClose} autoFocus={danger}>
            {cancel ?? t('common.cancel')}
          </Button>
          <Button variant={danger ? 'danger' : 'primary'} isPending={isPending} onPress={onConfirm} autoFocus={!danger}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
