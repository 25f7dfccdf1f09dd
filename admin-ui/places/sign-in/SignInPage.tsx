import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { login, type SignedIn, totpVerify } from '../../../shared/contract/auth.ts';
import type { AnswerOf } from '../../../shared/contract/endpoint.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { Button } from '../../components/Button.tsx';
import { Doorway } from '../../components/Doorway.tsx';
import { Form } from '../../components/Form.tsx';
import { Notice } from '../../components/Page.tsx';
import { PasswordField, TextField } from '../../components/TextField.tsx';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { configQuery } from '../../data/me.ts';
import { session } from '../../data/session.ts';
import { describeProblem } from '../../data/useProblem.ts';
import { normalizeCode } from '../../data/validation.ts';
import { ProviderButtons } from './ProviderButtons.tsx';
import { useProviderReturn } from './useProviderReturn.ts';
import { VerifyStep } from './VerifyStep.tsx';

type Step = { at: 'password' } | { at: 'code'; mfaToken: string } | { at: 'verify'; email: string };

export function SignInPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const search = useSearch({ from: '/sign-in' });
  const config = useQuery(configQuery);
  const [step, setStep] = useState<Step>({ at: 'password' });
  const [tooLate, setTooLate] = useState(false);

  const enter = (
    signedIn: SignedIn & { via_recovery?: boolean; recovery_codes_remaining?: number },
    next = search.next,
  ) => {
    session.begin(signedIn.token);
    if (signedIn.via_recovery)
      toast({ tone: 'note', text: t('signIn.recoveryLeft', { count: signedIn.recovery_codes_remaining ?? 0 }) });
    void navigate({ to: next ?? '/screens', replace: true });
  };
  const returned = useProviderReturn(enter);

  if (step.at === 'verify') {
    return (
      <Doorway title={t('signIn.checkMail')}>
        <VerifyStep email={step.email} onBack={() => setStep({ at: 'password' })} />
      </Doorway>
    );
  }
  if (step.at === 'code') {
    return (
      <Doorway title={t('signIn.codeTitle')}>
        <CodeStep
          mfaToken={step.mfaToken}
          onSignedIn={enter}
          onExpired={() => {
            setTooLate(true);
            setStep({ at: 'password' });
          }}
          onBack={() => setStep({ at: 'password' })}
        />
      </Doorway>
    );
  }
  if (returned.isBusy) return <Doorway title={t('signIn.providerWait')}>{null}</Doorway>;
  const server = config.data?.server_name;
  return (
    <Doorway
      title={server ? t('signIn.titleTo', { server }) : t('signIn.title')}
      words={{ title: t('setUp.welcome'), lead: t('signIn.words') }}
    >
      {search.verified && <Notice tone="good" title={t('signIn.verified')} />}
      {search.verify_error && (
        <Notice tone="warn" title={t(search.change_first ? 'signIn.changeFirst' : 'signIn.verifyError')} />
      )}
      {tooLate && <Notice tone="warn" title={t('signIn.tooLate')} />}
      {returned.problem && <Notice tone="bad" title={returned.problem} />}
      <PasswordStep
        onSignedIn={enter}
        onCode={(mfaToken) => setStep({ at: 'code', mfaToken })}
        onVerify={(email) => setStep({ at: 'verify', email })}
      />
      {config.data && <ProviderButtons config={config.data} next={search.next ?? returned.next} />}
      {(config.data?.registration_enabled || search.next?.startsWith('/invite/')) && (
        <p className="doorway-foot">
          <span>
            {t('signIn.noAccount')}{' '}
            <Link to="/register" search={search.next ? { next: search.next } : {}}>
              {t('signIn.register')}
            </Link>
          </span>
        </p>
      )}
    </Doorway>
  );
}

type PasswordStepProps = {
  onSignedIn: (signedIn: SignedIn) => void;
  onCode: (mfaToken: string) => void;
  onVerify: (email: string) => void;
};

/** Returns what to say of a step that failed. The server refuses further tries for minutes, which is said in minutes. */
const problemOf = (error: unknown, t: TFunction, wrong: string): string => {
  if (error instanceof ApiError && error.status === 401) return wrong;
  if (error instanceof ApiError && error.status === 429 && (error.retryAfter ?? 0) > 60)
    return t('signIn.locked', { count: Math.ceil((error.retryAfter ?? 60) / 60) });
  return describeProblem(error, t).text;
};

function PasswordStep({ onSignedIn, onCode, onVerify }: PasswordStepProps) {
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
  return (
    <Form
      onSubmit={() => {
        setAsked(true);
        if (email.trim() && password) signIn.mutate();
      }}
    >
      {signIn.isError && <Notice tone="bad" title={problemOf(signIn.error, t, t('signIn.wrong'))} />}
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

type CodeStepProps = {
  mfaToken: string;
  onSignedIn: (signedIn: AnswerOf<typeof totpVerify>) => void;
  onExpired: () => void;
  onBack: () => void;
};

/**
 * The second step. 401 means either a wrong code or that five minutes are over: the token tells which by failing again.
 */
function CodeStep({ mfaToken, onSignedIn, onExpired, onBack }: CodeStepProps) {
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
