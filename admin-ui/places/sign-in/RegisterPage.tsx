import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { useTranslation } from 'react-i18next';
import { register } from '../../../shared/contract/auth.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { Button } from '../../components/Button.tsx';
import { Doorway } from '../../components/Doorway.tsx';
import { Notice } from '../../components/Page.tsx';
import { PasswordField, TextField } from '../../components/TextField.tsx';
import { client } from '../../data/client.ts';
import { configQuery } from '../../data/me.ts';
import { session } from '../../data/session.ts';
import { describeProblem } from '../../data/useProblem.ts';
import { longEnough, looksLikeEmail } from '../../data/validation.ts';
import { VerifyStep } from './VerifyStep.tsx';

export function RegisterPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { next } = useSearch({ from: '/register' });
  // Who is invited joins others' organization, and needs none of their own.
  const invited = next?.startsWith('/invite/') ?? false;
  const config = useQuery(configQuery);
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [asked, setAsked] = useState(false);
  const [verify, setVerify] = useState<string>();
  const make = useMutation({
    mutationFn: () => client.call(register, { body: { name, email, password, ...(invited && { createOrg: false }) } }),
    onSuccess: (answer) => {
      if ('verification_required' in answer) return setVerify(answer.email);
      session.begin(answer.token);
      void navigate({ to: next ?? '/screens', replace: true });
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
    if (error instanceof ApiError && error.status === 403) return t('register.closed');
    return describeProblem(error, t).text;
  };
  return (
    <Doorway title={t('register.title')} lead={config.data?.server_name} words={{ title: t('setUp.welcome'), lead: t('signIn.words') }}>
      <Form
        className="form"
        validationBehavior="aria"
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(true);
          if (name.trim() && looksLikeEmail(email) && longEnough(password)) make.mutate();
        }}
      >
        {make.isError && <Notice tone="bad" title={problem(make.error)} />}
        <TextField
          label={t('register.name')}
          name="name"
          autoComplete="name"
          autoFocus
          value={name}
          onChange={setName}
          error={asked && !name.trim() ? t('register.needName') : undefined}
        />
        <TextField
          label={t('signIn.email')}
          type="email"
          name="email"
          autoComplete="username"
          value={email}
          onChange={setEmail}
          error={asked && !looksLikeEmail(email) ? t('register.badEmail') : undefined}
        />
        <PasswordField
          label={t('signIn.password')}
          name="password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          hint={t('app.passwordHint')}
          error={asked && !longEnough(password) ? t('app.passwordTooShort') : undefined}
        />
        <Button type="submit" variant="primary" wide isPending={make.isPending}>
          {t('register.submit')}
        </Button>
      </Form>
      <p className="doorway-foot">
        <span>
          {t('signIn.haveAccount')}{' '}
          <Link to="/sign-in" search={next ? { next } : {}}>
            {t('signIn.submit')}
          </Link>
        </span>
      </p>
    </Doorway>
  );
}
