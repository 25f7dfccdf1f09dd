import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { useTranslation } from 'react-i18next';
import { login, type SignedIn } from '../../../shared/contract/auth.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { Button } from '../../components/Button.tsx';
import { Notice } from '../../components/Page.tsx';
import { PasswordField, TextField } from '../../components/TextField.tsx';
import { client } from '../../data/client.ts';
import { describeProblem } from '../../data/useProblem.ts';

type Props = {
  onSignedIn: (signedIn: SignedIn) => void;
  onCode: (mfaToken: string) => void;
  onVerify: (email: string) => void;
};

export function PasswordStep({ onSignedIn, onCode, onVerify }: Props) {
  const { t } = useTranslation();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [asked, setAsked] = useState(false);
  const signIn = useMutation({
    mutationFn: () => client.call(login, { body: { email, password } }),
    onSuccess: (answer) => {
      if ('mfa_required' in answer) onCode(answer.mfa_token);
      else if ('verification_required' in answer) onVerify(answer.email);
      else onSignedIn(answer);
    },
  });
  const submit = () => {
    setAsked(true);
    if (email.trim() && password) signIn.mutate();
  };
  const problem = (error: unknown): string => {
    if (error instanceof ApiError && error.status === 401) return t('signIn.wrong');
    if (error instanceof ApiError && error.status === 429 && (error.retryAfter ?? 0) > 60)
      return t('signIn.locked', { count: Math.ceil((error.retryAfter ?? 60) / 60) });
    return describeProblem(error, t).text;
  };
  return (
    <Form
      className="form"
      validationBehavior="aria"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {signIn.isError && <Notice tone="bad" title={problem(signIn.error)} />}
      <TextField
        label={t('signIn.email')}
        type="email"
        name="email"
        autoComplete="username"
        autoFocus
        value={email}
        onChange={setEmail}
        error={asked && !email.trim() ? t('signIn.needEmail') : undefined}
      />
      <PasswordField
        label={t('signIn.password')}
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        error={asked && !password ? t('signIn.needPassword') : undefined}
      />
      <Button type="submit" variant="primary" wide isPending={signIn.isPending}>
        {t('signIn.title')}
      </Button>
    </Form>
  );
}
