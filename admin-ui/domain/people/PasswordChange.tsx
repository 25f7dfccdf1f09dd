import { useTranslation } from 'react-i18next';
import { longEnough } from '../../api/editing/validation.ts';
import { PasswordField } from '../../components/fields/TextField.tsx';
import { NewPassword } from './NewPassword.tsx';

export type Passwords = { readonly present: string; readonly next: string };

export const canChange = ({ present, next }: Passwords): boolean => present !== '' && longEnough(next);

type PasswordChangeProps = {
  value: Passwords;
  onChange: (part: Partial<Passwords>) => void;
  asked: boolean;
  wrong: boolean;
  autoFocus?: boolean;
};

/** Asks for the current password and a new password. */
export function PasswordChange({ value, onChange, asked, wrong, autoFocus = false }: PasswordChangeProps) {
  const { t } = useTranslation();
  return (
    <>
      <PasswordField
        label={t('app.presentPassword')}
        autoComplete="current-password"
        autoFocus={autoFocus}
        value={value.present}
        onChange={(present) => onChange({ present })}
        error={wrong ? t('account.wrongPassword') : asked && !value.present ? t('signIn.needPassword') : undefined}
      />
      <NewPassword
        label={t('app.newPassword')}
        value={value.next}
        onChange={(next) => onChange({ next })}
        asked={asked}
      />
    </>
  );
}
