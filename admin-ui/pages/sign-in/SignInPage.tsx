import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SignedIn } from '../../../shared/contract/people/auth.ts';
import { configQuery } from '../../api/session/me.ts';
import { session } from '../../api/session/session.ts';
import { toast } from '../../components/controls/toasts.ts';
import { Doorway } from '../../components/frame/Doorway.tsx';
import { Notice } from '../../components/frame/Page.tsx';
import { CodeStep, PasswordStep } from '../../domain/people/SignInSteps.tsx';
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
    void navigate({ to: next ?? '/', replace: true });
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
