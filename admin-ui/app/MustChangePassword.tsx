import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../shared/contract/errors.ts';
import { updateMe } from '../../shared/contract/people/auth.ts';
import { client } from '../api/requests/client.ts';
import { describeProblem } from '../api/requests/useProblem.ts';
import { signOut } from '../api/session/signOut.ts';
import { Button } from '../components/controls/Button.tsx';
import { Form } from '../components/fields/Form.tsx';
import { Doorway } from '../components/frame/Doorway.tsx';
import { Notice } from '../components/frame/Page.tsx';
import { canChange, PasswordChange } from '../domain/people/PasswordChange.tsx';

/** Blocks users whose password was set by an administrator until they choose a new password. */
export function MustChangePassword() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [passwords, setPasswords] = useState({ present: '', next: '' });
  const [asked, setAsked] = useState(false);
  const change = useMutation({
    mutationFn: () =>
      client.call(updateMe, { body: { current_password: passwords.present, password: passwords.next } }),
    onSuccess: () => queries.invalidateQueries(),
  });
  const problem = change.isError ? describeProblem(change.error, t) : undefined;
  const wrong = change.error instanceof ApiError && change.error.code === 'wrong_password';
  return (
    <Doorway title={t('app.mustChangeTitle')} lead={t('app.mustChangeLead')}>
      <Form
        onSubmit={() => {
          setAsked(true);
          if (canChange(passwords)) change.mutate();
        }}
      >
        {problem && !wrong && (
          <Notice tone="bad" title={problem.text}>
            {problem.detail}
          </Notice>
        )}
        <PasswordChange
          value={passwords}
          onChange={(part) => setPasswords((now) => ({ ...now, ...part }))}
          asked={asked}
          wrong={wrong}
          autoFocus
        />
        <Button type="submit" variant="primary" wide isPending={change.isPending}>
          {t('app.changePassword')}
        </Button>
      </Form>
      <p className="doorway-foot">
        <button type="button" className="link-button" onClick={() => void signOut()}>
          {t('nav.signOut')}
        </button>
      </p>
    </Doorway>
  );
}
