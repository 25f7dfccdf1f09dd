import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { useTranslation } from 'react-i18next';
import { updateMe } from '../../../shared/contract/auth.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { Button } from '../../components/Button.tsx';
import { Checkbox } from '../../components/Choices.tsx';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { meQuery } from '../../data/me.ts';
import { useEdit } from '../../data/useEdit.ts';
import { canChange, PasswordChange, type Passwords } from '../../parts/PasswordChange.tsx';

const nothing: Passwords = { present: '', next: '' };

export function PasswordForm() {
  const { t } = useTranslation();
  const [passwords, setPasswords] = useState(nothing);
  const [asked, setAsked] = useState(false);
  const [wrong, setWrong] = useState(false);
  const [revoke, setRevoke] = useState(false);
  const tokens = useQuery({ ...meQuery, select: (me) => me.live_tokens }).data ?? 0;
  const change = useEdit({
    topics: ['tokens', 'members'],
    run: () => client.call(updateMe, { body: { current_password: passwords.present, password: passwords.next, revoke_tokens: revoke } }),
    done: () => {
      setPasswords(nothing);
      setAsked(false);
      setRevoke(false);
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
        if (canChange(passwords)) change.mutate();
      }}
    >
      <PasswordChange
        value={passwords}
        onChange={(part) => {
          setPasswords((now) => ({ ...now, ...part }));
          if (part.present !== undefined) setWrong(false);
        }}
        asked={asked}
        wrong={wrong}
      />
      {tokens > 0 && (
        <Checkbox isSelected={revoke} onChange={setRevoke} hint={t('account.revokeTokensHint')}>
          {t('account.revokeTokens', { count: tokens })}
        </Checkbox>
      )}
      <div className="form-actions">
        <Button type="submit" isPending={change.isPending} isDisabled={!passwords.present || !passwords.next}>
          {t('app.changePassword')}
        </Button>
      </div>
    </Form>
  );
}
