import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import { register } from '../../../shared/contract/people/auth.ts';
import { client } from '../../api/requests/client.ts';
import { describeProblem } from '../../api/requests/useProblem.ts';
import { configQuery } from '../../api/session/me.ts';
import { session } from '../../api/session/session.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Form } from '../../components/fields/Form.tsx';
import { Doorway } from '../../components/frame/Doorway.tsx';
import { Notice } from '../../components/frame/Page.tsx';
import { canMake, NewAccount, noAccount } from '../../domain/people/NewAccount.tsx';
import { ownLanguage } from '../../i18n/language.ts';
import { ProviderButtons } from './ProviderButtons.tsx';
import { VerifyStep } from './VerifyStep.tsx';

/** Reads the id of an invite from the address of the invite page. */
const inviteIn = (path: string): string | undefined => /^\/invite\/([^/?#]+)/.exec(path)?.[1];

export function RegisterPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { next } = useSearch({ from: '/register' });
  // An invited user joins an existing organization. The invite permits registration even when registration is closed.
  const invite = next ? inviteIn(next) : undefined;
  const config = useQuery(configQuery);
  const [account, setAccount] = useState(noAccount);
  const [asked, setAsked] = useState(false);
  const [verify, setVerify] = useState<string>();
  const make = useMutation({
    mutationFn: () =>
      client.call(register, { body: { ...account, language: ownLanguage(), ...(invite && { invite }) } }),
    onSuccess: (answer) => {
      if ('verification_required' in answer) return setVerify(answer.email);
      session.begin(answer.token);
      // The invite was accepted together with the registration.
      void navigate({ to: (!invite && next) || '/', replace: true });
    },
  });
  if (verify !== undefined) {
    return (
      <Doorway title={t('signIn.checkMail')}>
        <VerifyStep email={verify} onBack={() => void navigate({ to: '/sign-in' })} />
      </Doorway>
    );
  }
  const problem = (error: unknown): string => {
    if (error instanceof ApiError && error.status === 409) return t('register.taken');
    if (error instanceof ApiError && error.status === 403) return t(invite ? 'invite.otherAddress' : 'register.closed');
    if (error instanceof ApiError && (error.status === 404 || error.status === 410)) return t('invite.gone');
    return describeProblem(error, t).text;
  };
  return (
    <Doorway
      title={t('register.title')}
      lead={config.data?.server_name}
      words={{ title: t('setUp.welcome'), lead: t('signIn.words') }}
    >
      <Form
        onSubmit={() => {
          setAsked(true);
          if (canMake(account)) make.mutate();
        }}
      >
        {make.isError && <Notice tone="bad" title={problem(make.error)} />}
        <NewAccount value={account} onChange={(part) => setAccount((now) => ({ ...now, ...part }))} asked={asked} />
        <Button type="submit" variant="primary" wide isPending={make.isPending}>
          {t('register.submit')}
        </Button>
      </Form>
      {config.data && <ProviderButtons config={config.data} next={next} />}
      <p className="doorway-foot">
        <span>
          {t('signIn.haveAccount')}{' '}
          <Link to="/sign-in" search={next ? { next } : {}}>
            {t('signIn.title')}
          </Link>
        </span>
      </p>
    </Doorway>
  );
}
