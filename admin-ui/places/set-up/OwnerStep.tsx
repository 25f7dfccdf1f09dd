import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Checkbox } from '../../components/Choices.tsx';
import { Notice } from '../../components/Page.tsx';
import { PasswordField, TextField } from '../../components/TextField.tsx';
import { toast } from '../../components/toasts.ts';
import { describeProblem } from '../../data/useProblem.ts';
import { longEnough, looksLikeEmail } from '../../data/validation.ts';
import { openShop } from './openShop.ts';

export function OwnerStep({ store, onBack, onDone }: { store: string; onBack: () => void; onDone: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [closed, setClosed] = useState(true);
  const [asked, setAsked] = useState(false);
  const open = useMutation({
    mutationFn: () => openShop({ store: store.trim(), name, email, password, registration: closed ? 'closed' : 'open' }),
    onSuccess: ({ settingsSaved }) => {
      queries.clear();
      if (!settingsSaved) toast({ tone: 'problem', text: t('setUp.settingsFailed') });
      onDone();
    },
  });
  const problem = open.isError ? describeProblem(open.error, t) : undefined;
  return (
    <Form
      className="form"
      validationBehavior="aria"
      onSubmit={(event) => {
        event.preventDefault();
        setAsked(true);
        if (name.trim() && looksLikeEmail(email) && longEnough(password)) open.mutate();
      }}
    >
      {problem && (
        <Notice tone="bad" title={problem.text}>
          {problem.detail}
        </Notice>
      )}
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
      <Checkbox isSelected={closed} onChange={setClosed} hint={t('setUp.closedHint')}>
        {t('setUp.closed')}
      </Checkbox>
      <div className="form-actions">
        <Button onPress={onBack}>{t('common.back')}</Button>
        <Button type="submit" variant="primary" isPending={open.isPending}>
          {t('setUp.submit')}
        </Button>
      </div>
    </Form>
  );
}
