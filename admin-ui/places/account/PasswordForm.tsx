import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { useTranslation } from 'react-i18next';
import { updateMe } from '../../../shared/contract/auth.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { Button } from '../../components/Button.tsx';
import { PasswordField } from '../../components/TextField.tsx';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { useEdit } from '../../data/useEdit.ts';
import { longEnough } from '../../data/validation.ts';

export function PasswordForm() {
  const { t } = useTranslation();
  const [present, setPresent] = useState('');
  const [next, setNext] = useState('');
  const [asked, setAsked] = useState(false);
  const [wrong, setWrong] = useState(false);
  const change = useEdit({
    topics: [],
    run: () => client.call(updateMe, { body: { current_password: present, password: next } }),
    done: () => {
      setPresent('');
      setNext('');
      setAsked(false);
      toast({ tone: 'done', text: t('account.passwordChanged') });
    },
    failed: (error) => {
      if (!(error instanceof ApiError) || error.code !== 'wrong_password') return false;
      setWrong(true);
      return true;
    },
  });
  return (
    <Form
      className="form"
      validationBehavior="aria"
      onSubmit={(event) => {
        event.preventDefault();
        setAsked(true);
        if (present && longEnough(next)) change.mutate();
      }}
    >
      <PasswordField
        label={t('app.presentPassword')}
        autoComplete="current-password"
        value={present}
        onChange={(text) => {
          setPresent(text);
          setWrong(false);
        }}
        error={wrong ? t('account.wrongPassword') : asked && !present ? t('signIn.needPassword') : undefined}
      />
      <PasswordField
        label={t('app.newPassword')}
        autoComplete="new-password"
        value={next}
        onChange={setNext}
        hint={t('app.passwordHint')}
        error={asked && !longEnough(next) ? t('app.passwordTooShort') : undefined}
      />
      <div className="form-actions">
        <Button type="submit" isPending={change.isPending} isDisabled={!present || !next}>
          {t('app.changePassword')}
        </Button>
      </div>
    </Form>
  );
}
