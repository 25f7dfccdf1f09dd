import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import { acceptInvite } from '../../../shared/contract/people/auth.ts';
import { workspaceCalled } from '../../../shared/contract/people/workspaces.ts';
import { client } from '../../api/requests/client.ts';
import { describeProblem } from '../../api/requests/useProblem.ts';
import { meQuery } from '../../api/session/me.ts';
import { session } from '../../api/session/session.ts';
import { signOut } from '../../api/session/signOut.ts';
import { goToWorkspace } from '../../api/session/switchWorkspace.ts';
import { Button, ButtonLink } from '../../components/controls/Button.tsx';
import { toast } from '../../components/controls/toasts.ts';
import { Doorway } from '../../components/frame/Doorway.tsx';
import { Notice } from '../../components/frame/Page.tsx';

/** Page that opens from the link of an invite, for signed-in and other visitors. */
export function InvitePage() {
  const token = useSyncExternalStore(session.subscribe, session.token);
  const { inviteId } = useParams({ from: '/invite/$inviteId' });
  return token === null ? <SignedOut inviteId={inviteId} /> : <SignedIn inviteId={inviteId} />;
}

function SignedOut({ inviteId }: { inviteId: string }) {
  const { t } = useTranslation();
  const next = `/invite/${inviteId}`;
  return (
    <Doorway
      title={t('invite.title')}
      lead={t('invite.leadSignedOut')}
      words={{ title: t('setUp.welcome'), lead: t('invite.lead') }}
    >
      <div className="form">
        <ButtonLink to="/sign-in" search={{ next }} variant="primary" wide>
          {t('invite.signIn')}
        </ButtonLink>
        <ButtonLink to="/register" search={{ next }} wide>
          {t('invite.register')}
        </ButtonLink>
      </div>
    </Doorway>
  );
}

function SignedIn({ inviteId }: { inviteId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const email = useQuery(meQuery).data?.email ?? '';
  const join = useMutation({
    mutationFn: async () => {
      const joined = await client.call(acceptInvite, { params: { inviteId } });
      await goToWorkspace(joined.workspace_id);
      return joined;
    },
    onSuccess: (joined) => {
      toast({
        tone: 'done',
        text: t('invite.joined', { workspace: workspaceCalled(joined.workspace_name, joined.organization_name) }),
      });
      void navigate({ to: '/', replace: true });
    },
  });
  const status = join.error instanceof ApiError ? join.error.status : undefined;
  const isGone = status === 404 || status === 410;
  return (
    <Doorway
      title={t('invite.title')}
      lead={t('invite.signedInAs', { email })}
      words={{ title: t('setUp.welcome'), lead: t('invite.lead') }}
    >
      <div className="form">
        {isGone && (
          <Notice tone="bad" title={t('invite.gone')}>
            {t('invite.goneHelp')}
          </Notice>
        )}
        {status === 403 && (
          <Notice tone="bad" title={t('invite.otherAddress')}>
            {t('invite.otherAddressHelp', { email })}
          </Notice>
        )}
        {join.isError && !isGone && status !== 403 && <Notice tone="bad" title={describeProblem(join.error, t).text} />}
        {!isGone && status !== 403 && (
          <Button variant="primary" wide isPending={join.isPending} onPress={() => join.mutate()}>
            {t('invite.join')}
          </Button>
        )}
        <ButtonLink to="/" wide>
          {t('invite.notNow')}
        </ButtonLink>
      </div>
      <p className="doorway-foot">
        <button type="button" className="link-button" onClick={() => void signOut()}>
          {t('invite.switchAccount')}
        </button>
      </p>
    </Doorway>
  );
}
