import { useQuery } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlaylistWithItems } from '../../../../shared/contract/content/playlists.ts';
import {
  approvePublishRequest,
  MAX_WORDS,
  type PublishRequest,
  refusePublishRequest,
  withdrawPublishRequest,
} from '../../../../shared/contract/people/approvals.ts';
import { requestQuery } from '../../../api/approvals.ts';
import { useEdit } from '../../../api/editing/useEdit.ts';
import { client } from '../../../api/requests/client.ts';
import { useMe } from '../../../api/session/me.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { FormDialog } from '../../../components/controls/Dialog.tsx';
import { TextField } from '../../../components/fields/TextField.tsx';
import { Notice } from '../../../components/frame/Page.tsx';
import { AnswerField } from '../../../domain/people/AnswerField.tsx';
import { useFormat } from '../../../i18n/useFormat.ts';
import type { PlaylistActions } from '../usePlaylistData.ts';
import { PublishEffects } from './PublishEffects.tsx';

const TOPICS = ['approvals', 'playlists'] as const;

/** Returns the latest approval request of a playlist; undefined if there is none, or while loading. */
export const useRequest = (playlistId: string): PublishRequest | undefined =>
  useQuery(requestQuery(playlistId)).data?.[0];

/** Notice above the list about a waiting approval request, or about its result. */
export function ApprovalNotice({ playlist, canWrite }: { playlist: PlaylistWithItems; canWrite: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const me = useMe();
  const request = useRequest(playlist.id);
  if (!request) return null;
  const isMine = request.user_id === me.id;
  const when = format.dateTime(request.decided_at ?? request.created_at);
  const words = { who: request.user_name, when };
  const said = request.note && `“${request.note}”`;
  if (request.state === 'waiting') {
    const decides = me.rights.approves && canWrite;
    return request.is_stale ? (
      <Notice tone="warn" title={t('approval.stale', words)} actions={isMine && <Withdraw request={request} />}>
        <Changed of={request} /> {decides ? t('approval.staleApprover') : t('approval.staleHelp')}
      </Notice>
    ) : (
      <Notice
        tone="info"
        title={t('approval.waits', words)}
        actions={
          <>
            {isMine && <Withdraw request={request} />}
            {decides && <Decide request={request} playlist={playlist} />}
          </>
        }
      >
        {said || t('approval.waitsHelp')}
      </Notice>
    );
  }
  const decided = { who: request.decided_by_name ?? '', when };
  if (request.state === 'refused' && playlist.status === 'draft')
    return (
      <Notice tone="warn" title={t('approval.wasRefused', decided)}>
        {request.answer}
      </Notice>
    );
  if (request.state === 'approved' && playlist.status === 'published' && isMine && request.answer)
    return (
      <Notice tone="good" title={t('approval.wasApproved', decided)}>
        {request.answer}
      </Notice>
    );
  return null;
}

/** Names the records that were changed after the request. A deleted record has no name and is left out. */
function Changed({ of: { changed } }: { of: PublishRequest }) {
  const { t } = useTranslation();
  const format = useFormat();
  const names = changed.flatMap(({ name }) => name || []);
  return names.length === 0 ? null : t('approval.changed', { names: format.list([...new Set(names)]) });
}

function Withdraw({ request }: { request: PublishRequest }) {
  const { t } = useTranslation();
  const withdraw = useEdit({
    topics: TOPICS,
    run: () => client.call(withdrawPublishRequest, { params: { id: request.id } }),
    said: () => t('approval.withdrawn'),
  });
  return (
    <Button size="small" isPending={withdraw.isPending} onPress={() => withdraw.mutate()}>
      {t('approval.withdraw')}
    </Button>
  );
}

function Decide({ request, playlist }: { request: PublishRequest; playlist: PlaylistWithItems }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<'approve' | 'refuse'>();
  const [answer, setAnswer] = useState('');
  const { name } = playlist;
  const who = request.user_name;
  const close = () => setAsking(undefined);
  const decide = useEdit<'approve' | 'refuse', PublishRequest>({
    topics: TOPICS,
    run: (what) =>
      client.call(what === 'approve' ? approvePublishRequest : refusePublishRequest, {
        params: { id: request.id },
        body: { answer },
      }),
    said: (_, what) => (what === 'approve' ? t('approval.approved', { name }) : t('approval.refused', { who })),
    done: close,
    failed: () => {
      close();
      return false;
    },
  });
  return (
    <>
      <Button size="small" icon={X} onPress={() => setAsking('refuse')}>
        {t('approval.refuse')}
      </Button>
      <Button size="small" variant="primary" icon={Check} onPress={() => setAsking('approve')}>
        {t('approval.approve')}
      </Button>
      {asking && (
        <FormDialog
          title={t(`approval.${asking}Title`, { name })}
          size={asking === 'approve' ? 'wide' : 'medium'}
          onClose={close}
          onSubmit={() => decide.mutate(asking)}
          submit={asking === 'approve' ? t('approval.approveDo') : t('approval.refuse')}
          variant={asking === 'approve' ? 'primary' : 'danger'}
          isPending={decide.isPending}
        >
          {asking === 'approve' ? <PublishEffects playlist={playlist} /> : <p>{t('approval.refuseHelp', { who })}</p>}
          <AnswerField who={who} answer={answer} onChange={setAnswer} autoFocus={asking === 'refuse'} />
        </FormDialog>
      )}
    </>
  );
}

type AskProps = { playlist: PlaylistWithItems; actions: PlaylistActions; onDone: () => void; onClose: () => void };

/** Dialog that requests approval of the playlist as it is now. */
export function AskForApproval({ playlist, actions, onDone, onClose }: AskProps) {
  const { t } = useTranslation();
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState(false);
  const ask = async () => {
    setBusy(true);
    const asked = await actions.ask(note);
    setBusy(false);
    if (asked) onDone();
    else onClose();
  };
  return (
    <FormDialog
      title={t('approval.askTitle', { name: playlist.name })}
      onClose={onClose}
      onSubmit={() => void ask()}
      submit={t('approval.ask')}
      isPending={busy}
    >
      <p>{t('approval.askHelp')}</p>
      <PublishEffects playlist={playlist} />
      <TextField
        label={t('approval.note')}
        hint={t('approval.noteHint')}
        value={note}
        onChange={setNote}
        multiline
        maxLength={MAX_WORDS}
      />
    </FormDialog>
  );
}
