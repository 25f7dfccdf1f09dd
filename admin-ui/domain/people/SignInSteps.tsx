/** The steps of signing in, for the sign-in page and for the sign-in dialog. */
import { useMutation } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AnswerOf } from '../../../shared/contract/endpoint.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { login, type SignedIn, totpVerify } from '../../../shared/contract/people/auth.ts';
import { normalizeCode } from '../../api/editing/validation.ts';
import { client } from '../../api/requests/client.ts';
import { describeProblem } from '../../api/requests/useProblem.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Form } from '../../components/fields/Form.tsx';
import { PasswordField, TextField } from '../../components/fields/TextField.tsx';
import { Notice } from '../../components/frame/Page.tsx';

type PasswordStepProps = {
  email?: string;
  onSignedIn: (signedIn: SignedIn) => void;
  onCode: (mfaToken: string) => void;
  onVerify: (email: string) => void;
};

const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/**
 * Returns the message for a failed step. If the server refuses further attempts for some minutes, the message says for
 * how many.
 */
const problemOf = (error: unknown, t: TFunction, wrong: string): string => {
  if (isRefusal(error)) return wrong;
  if (error instanceof ApiError && error.status === 429 && (error.retryAfter ?? 0) > 60)
    return t('signIn.locked', { count: Math.ceil((error.retryAfter ?? 60) / 60) });
  return describeProblem(error, t).text;
};

/** Asks for the password. `email`: the user's address, if known. */
export function PasswordStep({ email: known = '', onSignedIn, onCode, onVerify }: PasswordStepProps) {
  const { t } = useTranslation();
  const [email, setEmail] = useState(known);
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
  return (
    <Form
      onSubmit={() => {
        setAsked(true);
        if (email.trim() && password) signIn.mutate();
      }}
    >
      {signIn.isError && (
        <Notice tone="bad" title={problemOf(signIn.error, t, t('signIn.wrong'))}>
          {isRefusal(signIn.error) && t('signIn.forgotten')}
        </Notice>
      )}
      <TextField
        label={t('signIn.email')}
        type="email"
        name="email"
        autoComplete="username"
        autoFocus={known === ''}
        value={email}
        onChange={setEmail}
        error={asked && !email.trim() ? t('signIn.needEmail') : undefined}
      />
      <PasswordField
        label={t('signIn.password')}
        name="password"
        autoComplete="current-password"
        autoFocus={known !== ''}
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

type CodeStepProps = {
  mfaToken: string;
  onSignedIn: (signedIn: AnswerOf<typeof totpVerify>) => void;
  onExpired: () => void;
  onBack: () => void;
};

/**
 * The second step of signing in. 401 means a wrong code or an expired token (valid for five minutes). With an expired
 * token, each further attempt fails.
 */
export function CodeStep({ mfaToken, onSignedIn, onExpired, onBack }: CodeStepProps) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [recovery, setRecovery] = useState(false);
  const [startedAt] = useState(() => Date.now());
  const verify = useMutation({
    mutationFn: () => client.call(totpVerify, { body: { mfa_token: mfaToken, code: normalizeCode(code) } }),
    onSuccess: onSignedIn,
    onError: (error) => {
      if (error instanceof ApiError && error.status === 401 && Date.now() - startedAt > 5 * 60_000) onExpired();
      setCode('');
    },
  });
  return (
    <Form
      onSubmit={() => {
        if (code.trim()) verify.mutate();
      }}
    >
      <p className="doorway-lead">{recovery ? t('signIn.recoveryLead') : t('signIn.codeLead')}</p>
      {verify.isError && <Notice tone="bad" title={problemOf(verify.error, t, t('signIn.wrongCode'))} />}
      <TextField
        key={String(recovery)}
        label={recovery ? t('signIn.recoveryCode') : t('screens.code')}
        name="code"
        autoFocus
        autoComplete="one-time-code"
        inputMode={recovery ? 'text' : 'numeric'}
        spellCheck="false"
        value={code}
        onChange={setCode}
      />
      <Button type="submit" variant="primary" wide isPending={verify.isPending}>
        {t('common.continue')}
      </Button>
      <div className="doorway-foot">
        <button type="button" className="link-button" onClick={() => setRecovery(!recovery)}>
          {recovery ? t('signIn.useApp') : t('signIn.useRecovery')}
        </button>
        <button type="button" className="link-button" onClick={onBack}>
          {t('signIn.back')}
        </button>
      </div>
    </Form>
  );
}
