import { useTranslation } from 'react-i18next';
import { longEnough, looksLikeEmail } from '../../api/editing/validation.ts';
import { TextField } from '../../components/fields/TextField.tsx';
import { NewPassword } from './NewPassword.tsx';

export type Account = { readonly name: string; readonly email: string; readonly password: string };

export const noAccount: Account = { name: '', email: '', password: '' };
export const canMake = ({ name, email, password }: Account): boolean =>
  name.trim() !== '' && looksLikeEmail(email) && longEnough(password);

/** Asks for name, e-mail address and password of a new account. */
export function NewAccount({
  value,
  onChange,
  asked,
}: {
  value: Account;
  onChange: (part: Partial<Account>) => void;
  asked: boolean;
}) {
  const { t } = useTranslation();
  const { name, email, password } = value;
  return (
    <>
      <TextField
        label={t('register.name')}
        name="name"
        autoComplete="name"
        autoFocus
        value={name}
        onChange={(next) => onChange({ name: next })}
        error={asked && !name.trim() ? t('register.needName') : undefined}
      />
      <TextField
        label={t('signIn.email')}
        type="email"
        name="email"
        autoComplete="username"
        value={email}
        onChange={(next) => onChange({ email: next })}
        error={asked && !looksLikeEmail(email) ? t('register.badEmail') : undefined}
      />
      <NewPassword name="password" value={password} onChange={(next) => onChange({ password: next })} asked={asked} />
    </>
  );
}
