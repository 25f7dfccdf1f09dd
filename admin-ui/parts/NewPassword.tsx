import { useTranslation } from 'react-i18next';
import { PasswordField } from '../components/TextField.tsx';
import { longEnough } from '../data/validation.ts';

type NewPasswordProps = {
  /** @default the sign-in's word for it */
  label?: string;
  name?: string;
  value: string;
  onChange: (value: string) => void;
  /** The form was sent: from now on it says what is missing. */
  asked: boolean;
};

/** A password that somebody chooses. */
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
