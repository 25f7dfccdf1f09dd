import type { ReactNode } from 'react';
import { Form as AriaForm } from 'react-aria-components/Form';
import { useTranslation } from 'react-i18next';
import { Button } from '../controls/Button.tsx';

/** A form whose fields show their own error messages instead of the browser's. */
export function Form({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  return (
    <AriaForm
      className="form"
      validationBehavior="aria"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </AriaForm>
  );
}

type ChangeFormProps = {
  /** Whether any value differs from the stored value. The buttons appear only if it is true. */
  changed: boolean;
  /** @default true */
  valid?: boolean;
  isPending: boolean;
  /** Size of the buttons. */
  size?: 'small' | 'medium';
  onSave: () => void;
  onDiscard: () => void;
  children: ReactNode;
};

/** A form that changes a stored record. Its buttons appear after the first change. */
export function ChangeForm({
  changed,
  valid = true,
  isPending,
  size = 'medium',
  onSave,
  onDiscard,
  children,
}: ChangeFormProps) {
  const { t } = useTranslation();
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (changed && valid) onSave();
      }}
    >
      {children}
      {changed && (
        <div className="form-actions">
          <Button type="submit" size={size} variant="primary" isPending={isPending} isDisabled={!valid}>
            {t('common.save')}
          </Button>
          <Button size={size} variant="quiet" onPress={onDiscard}>
            {t('common.discard')}
          </Button>
        </div>
      )}
    </form>
  );
}
