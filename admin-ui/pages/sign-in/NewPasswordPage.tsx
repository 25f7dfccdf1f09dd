import { useMutation } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import { spendPasswordLink } from '../../../shared/contract/people/users.ts';
import { longEnough } from '../../api/editing/validation.ts';
import { client } from '../../api/requests/client.ts';
import { describeProblem } from '../../api/requests/useProblem.ts';
import { Button, ButtonLink } from '../../components/controls/Button.tsx';
import { toast } from '../../components/controls/toasts.ts';
import { Form } from '../../components/fields/Form.tsx';
import { Doorway } from '../../components/frame/Doorway.tsx';
import { Notice } from '../../components/frame/Page.tsx';
import { NewPassword } from '../../domain/people/NewPassword.tsx';

/** Page that opens from a password link, for signed-in and other visitors. */
export function NewPasswordPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { token } = useParams({ from: '/new-password/$token' });
  const [password, setPassword] = useState('');
  const [asked, setAsked] = useState(false);
  const set = useMutation({
    mutationFn: () => client.call(spendPasswordLink, { body: { token, password } }),
    onSuccess: ({ email }) => {
      toast({ tone: 'done', text: t('newPassword.done', { email }) });
      // Replaces the history entry, since going back would open a used link.
      void navigate({ to: '/sign-in', replace: true });
    },
  });
  const isGone = set.error instanceof ApiError && set.error.status === 410;
  return (
    <Doorway
      title={t('newPassword.title')}
      lead={t('newPassword.lead')}
      words={{ title: t('setUp.welcome'), lead: t('signIn.words') }}
    >
      <Form
        onSubmit={() => {
          setAsked(true);
          if (longEnough(password)) set.mutate();
        }}
      >
        {isGone && (
          <Notice tone="bad" title={t('newPassword.gone')}>
            {t('newPassword.goneHelp')}
          </Notice>
        )}
        {set.isError && !isGone && <Notice tone="bad" title={describeProblem(set.error, t).text} />}
        {!isGone && (
          <>
            <NewPassword
              label={t('newPassword.field')}
              name="password"
              value={password}
              onChange={setPassword}
              asked={asked}
            />
            <Button type="submit" variant="primary" wide isPending={set.isPending}>
              {t('newPassword.submit')}
            </Button>
          </>
        )}
        <ButtonLink to="/sign-in" wide>
          {t('signIn.back')}
        </ButtonLink>
      </Form>
    </Doorway>
  );
}
