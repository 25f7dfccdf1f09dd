import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link2, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { deleteInvite, type Invite } from '../../../shared/contract/people/workspaces.ts';
import { IconButton } from '../../components/controls/Button.tsx';
import { Badge, Section } from '../../components/frame/Page.tsx';
import '../../components/lists/Table.css';
import { ownEdits } from '../../api/editing/ownEdits.ts';
import { removals, useHidden } from '../../api/editing/useRemovals.ts';
import { client } from '../../api/requests/client.ts';
import { copyText } from '../../api/requests/copy.ts';
import { useLinkOrigin } from '../../api/requests/origin.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { invitesQuery } from '../../api/session/people.ts';
import { toast } from '../../components/controls/toasts.ts';
import { useNow } from '../../components/hooks/useNow.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { inviteLink } from './people.utils.ts';

const keyOf = (invite: Invite) => `invite:${invite.id}`;

export function Invites({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const hidden = useHidden();
  const invites = (useQuery(invitesQuery(workspaceId)).data ?? []).filter((invite) => !hidden.has(keyOf(invite)));
  if (invites.length === 0) return null;
  return (
    <Section title={t('people.invites')} lead={t('people.invitesLead')}>
      <ul className="table-box">
        {invites.map((invite) => (
          <InviteRow key={invite.id} invite={invite} workspaceId={workspaceId} />
        ))}
      </ul>
    </Section>
  );
}

function InviteRow({ invite, workspaceId }: { invite: Invite; workspaceId: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const queries = useQueryClient();
  const tell = useProblem();
  const takeBack = () => {
    const { commit, undo } = removals.begin(keyOf(invite), async () => {
      const end = ownEdits.begin(['members']);
      try {
        await client.call(deleteInvite, { params: { id: workspaceId, inviteId: invite.id } });
      } catch (error) {
        tell(error);
      } finally {
        end();
        await queries.invalidateQueries({ queryKey: ['members'] });
      }
    });
    toast(
      {
        tone: 'done',
        text: t('people.takenBack', { email: invite.email }),
        action: { label: t('common.undo'), run: undo },
      },
      { onClose: commit },
    );
  };
  const link = inviteLink(useLinkOrigin(), invite.id);
  const copy = async () => {
    const done = await copyText(link);
    toast(
      done
        ? { tone: 'done', text: t('people.linkCopied', { email: invite.email }) }
        : { tone: 'problem', text: t('people.copyFailed'), detail: link },
    );
  };
  return (
    <li className="list-row people-row">
      <div className="row-what">
        <strong>{invite.email}</strong>
        <small>{t('people.expires', { ago: format.ago(invite.expires_at, now) })}</small>
      </div>
      <Badge>{t(`people.roles.${invite.role}`)}</Badge>
      <div className="people-actions">
        <IconButton icon={Link2} label={t('people.copyLink', { email: invite.email })} onPress={() => void copy()} />
        <IconButton icon={X} label={t('people.takeBack', { email: invite.email })} onPress={takeBack} />
      </div>
    </li>
  );
}
