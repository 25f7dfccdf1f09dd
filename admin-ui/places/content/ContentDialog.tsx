import { useQuery } from '@tanstack/react-query';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { Facts } from '../../components/Facts.tsx';
import { Bone, Notice } from '../../components/Page.tsx';
import { QueryFailure } from '../../components/QueryFailure.tsx';
import { contentQuery, contentUsageQuery } from '../../data/content.ts';
import { downloadContent } from '../../data/downloadContent.ts';
import { describeProblem, useProblem } from '../../data/useProblem.ts';
import { formatClock } from '../../i18n/format.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { ContentForm } from './ContentForm.tsx';
import { ContentPreview } from './ContentPreview.tsx';
import { ReplaceFile } from './ReplaceFile.tsx';
import { UsageList } from './UsageList.tsx';
import { isUsed } from './usage.utils.ts';

type Props = { id: string; canWrite: boolean; onClose: () => void; onDelete: (content: Content) => void };

/** One content, large, with everything about it. It has an address of its own. */
export function ContentDialog({ id, canWrite, onClose, onDelete }: Props) {
  const { t } = useTranslation();
  const query = useQuery(contentQuery(id));
  const content = query.data?.content;
  const etag = query.data?.etag;
  return (
    <Dialog size="full" title={content?.filename ?? <Bone width="12rem" />} onClose={onClose}>
      {query.isError && !content && <QueryFailure {...describeProblem(query.error, t)} onRetry={() => void query.refetch()} />}
      {content && (
        <div className="preview">
          <ContentPreview key={content.sha256} content={content} />
          <div className="preview-side">
            {content.fetch_error && <Notice tone="warn" title={t('content.notFetchedYet', { reason: content.fetch_error })} />}
            {canWrite && <ContentForm key={content.id} content={content} etag={etag} />}
            <ContentFacts content={content} />
            <UsedIn id={content.id} />
            <Foot content={content} etag={etag} canWrite={canWrite} onDelete={onDelete} />
          </div>
        </div>
      )}
    </Dialog>
  );
}

function ContentFacts({ content }: { content: Content }) {
  const { t } = useTranslation();
  const format = useFormat();
  const facts: [string, string | null][] = [
    [t('content.type'), `${t(`content.kindOf.${content.kind}`)} (${content.mime_type})`],
    [t('content.dimensions'), content.width && content.height ? `${content.width} × ${content.height}` : null],
    [t('content.length'), content.duration_sec === null ? null : formatClock(content.duration_sec)],
    [t('content.size'), content.file_size > 0 ? format.bytes(content.file_size) : null],
    [t('content.added'), format.dateTime(content.created_at)],
    [t('content.fetched'), content.fetched_at !== null && !content.fetch_error && content.file_size > 0 ? format.dateTime(content.fetched_at) : null],
  ];
  return <Facts facts={facts} />;
}

function UsedIn({ id }: { id: string }) {
  const { t } = useTranslation();
  const usage = useQuery(contentUsageQuery(id)).data;
  return (
    <section className="field">
      <h3 className="field-label">{t('content.usedIn')}</h3>
      {usage === undefined && <Bone width="60%" />}
      {usage && !isUsed(usage) && <p className="field-hint">{t('content.usedNowhere')}</p>}
      {usage && <UsageList usage={usage} />}
    </section>
  );
}

function Foot({ content, etag, canWrite, onDelete }: { content: Content; etag: string | undefined; canWrite: boolean; onDelete: (content: Content) => void }) {
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
      {canWrite && <ReplaceFile content={content} etag={etag} />}
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
