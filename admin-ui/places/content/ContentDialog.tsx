import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Content, updateContent } from '../../../shared/contract/content.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { Bone } from '../../components/Page.tsx';
import { QueryFailure } from '../../components/QueryFailure.tsx';
import { TextField } from '../../components/TextField.tsx';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { contentQuery } from '../../data/content.ts';
import { downloadContent } from '../../data/downloadContent.ts';
import { useEdit } from '../../data/useEdit.ts';
import { describeProblem, useProblem } from '../../data/useProblem.ts';
import { formatClock } from '../../i18n/format.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { useContentUse } from '../../parts/useContentUse.ts';
import { ContentPreview } from './ContentPreview.tsx';

type Props = { id: string; canWrite: boolean; onClose: () => void; onDelete: (content: Content) => void };

/** One content, large, with everything about it. It has an address of its own. */
export function ContentDialog({ id, canWrite, onClose, onDelete }: Props) {
  const { t } = useTranslation();
  const query = useQuery(contentQuery(id));
  const content = query.data?.content;
  return (
    <Dialog size="full" title={content?.filename ?? <Bone width="12rem" />} onClose={onClose}>
      {query.isError && !content && <QueryFailure {...describeProblem(query.error, t)} onRetry={() => void query.refetch()} />}
      {content && (
        <div className="preview">
          <ContentPreview content={content} />
          <div className="preview-side">
            <Rename key={content.id} content={content} etag={query.data?.etag} canWrite={canWrite} />
            <Facts content={content} />
            <UsedIn id={content.id} />
            <Foot content={content} canWrite={canWrite} onDelete={onDelete} />
          </div>
        </div>
      )}
    </Dialog>
  );
}

function Rename({ content, etag, canWrite }: { content: Content; etag: string | undefined; canWrite: boolean }) {
  const { t } = useTranslation();
  const [name, setName] = useState<string>();
  const rename = useEdit<string, Content>({
    topics: ['content'],
    run: (filename) => client.call(updateContent, { params: { id: content.id }, body: { filename }, ifMatch: etag }),
    done: ({ filename }) => {
      setName(undefined);
      toast({ tone: 'done', text: t('content.renamed', { name: filename }) });
    },
  });
  const changed = name !== undefined && name.trim() !== '' && name !== content.filename;
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (changed) rename.mutate(name);
      }}
    >
      <TextField label={t('content.name')} value={name ?? content.filename} onChange={setName} maxLength={200} isReadOnly={!canWrite} />
      {changed && (
        <div className="form-actions">
          <Button type="submit" size="small" variant="primary" isPending={rename.isPending}>
            {t('common.rename')}
          </Button>
          <Button size="small" variant="quiet" onPress={() => setName(undefined)}>
            {t('common.cancel')}
          </Button>
        </div>
      )}
    </form>
  );
}

function Facts({ content }: { content: Content }) {
  const { t } = useTranslation();
  const format = useFormat();
  const facts: [string, string | null][] = [
    [t('content.type'), `${t(`content.kindOf.${content.kind}`)} (${content.mime_type})`],
    [t('content.dimensions'), content.width && content.height ? `${content.width} × ${content.height}` : null],
    [t('content.length'), content.duration_sec === null ? null : formatClock(content.duration_sec)],
    [t('content.size'), content.file_size > 0 ? format.bytes(content.file_size) : null],
    [t('content.address'), content.remote_url],
    [t('content.added'), format.dateTime(content.created_at)],
  ];
  return (
    <dl className="facts">
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function UsedIn({ id }: { id: string }) {
  const { t } = useTranslation();
  const uses = useContentUse(id);
  return (
    <section className="field">
      <h3 className="field-label">{t('content.usedIn')}</h3>
      {uses === undefined && <Bone width="60%" />}
      {uses?.length === 0 && <p className="field-hint">{t('content.usedNowhere')}</p>}
      {uses && uses.length > 0 && (
        <ul className="link-list">
          {uses.map((use) => (
            <li key={use.id}>
              <Link to="/playlists/$playlistId" params={{ playlistId: use.id }}>
                {use.name}
              </Link>{' '}
              {use.screens > 0 && <span className="field-hint">{t('playlists.screens', { count: use.screens })}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Foot({ content, canWrite, onDelete }: { content: Content; canWrite: boolean; onDelete: (content: Content) => void }) {
  const { t } = useTranslation();
  const tell = useProblem();
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    await downloadContent(content).catch(tell);
    setBusy(false);
  };
  return (
    <div className="preview-foot">
      {content.file_size > 0 && (
        <Button icon={Download} size="small" isPending={busy} onPress={() => void download()}>
          {t('content.download')}
        </Button>
      )}
      {canWrite && (
        <Button icon={Trash2} size="small" variant="danger-quiet" onPress={() => onDelete(content)}>
          {t('common.delete')}
        </Button>
      )}
    </div>
  );
}
