import { useTranslation } from 'react-i18next';
import { longEnough } from '../../api/editing/validation.ts';
import { PasswordField } from '../../components/fields/TextField.tsx';

type NewPasswordProps = {
  /** @default the label on the sign-in page */
  label?: string;
  name?: string;
  value: string;
  onChange: (value: string) => void;
  /** True once the form has been sent, so that errors are shown. */
  asked: boolean;
};

/** A field for a new password. */
export function NewPassword({ label, name, value, onChange, asked }: NewPasswordProps) {
  const { t } = useTranslation();
  return (
    <PasswordField
      label={label ?? t('signIn.password')}
      {...(name !== undefined && { name })}
      autoComplete="new-password"
      value={value}
      onChange={onChange}
      hint={t('app.passwordHint')}
      error={asked && !longEnough(value) ? t('app.passwordTooShort') : undefined}
    />
  );
}
