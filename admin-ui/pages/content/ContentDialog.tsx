import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, RefreshCw, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useTranslation } from 'react-i18next';
import { type Content, type ContentChange, updateContent } from '../../../shared/contract/content/content.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { contentQuery, contentUsageQuery, downloadContent } from '../../api/files/content.ts';
import { client } from '../../api/requests/client.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { type May, useMay } from '../../api/session/rights.ts';
import { Select } from '../../components/choices/Select.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/controls/Dialog.tsx';
import { ChangeForm } from '../../components/fields/Form.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { Facts } from '../../components/frame/Facts.tsx';
import { Bone, Notice } from '../../components/frame/Page.tsx';
import { PlaybackProblems } from '../../domain/content/PlaybackProblems.tsx';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import { Hindered } from '../../domain/saving/Hindered.tsx';
import { ManagedMark } from '../../domain/saving/ManagedMark.tsx';
import { ReportLink } from '../../domain/time/ReportLink.tsx';
import { ValidityFields } from '../../domain/time/ValidityFields.tsx';
import { endsBeforeItBegins } from '../../domain/time/validity.utils.ts';
import { formatClock } from '../../i18n/format.ts';
import { worded } from '../../i18n/sentences.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { ACCEPT } from './accept.ts';
import { ContentPreview } from './ContentPreview.tsx';
import { flatten } from './folders/folders.utils.ts';
import { useFolders, useReach } from './folders/useFolders.ts';
import { OriginalFile } from './OriginalFile.tsx';
import { PlaysThen } from './PlaysThen.tsx';
import { useReplacing } from './ReplaceContent.tsx';
import { UsageList } from './UsageList.tsx';
import { isUsed } from './usage.utils.ts';

/** Loaded with the first design, since most contents are files. */
const DesignWords = lazy(() =>
  import('../../domain/designs/DesignWords.tsx').then((m) => ({ default: m.DesignWords })),
);

type Props = { id: string; onClose: () => void; onDelete: (content: Content) => void };

/** Dialog with one content, its large preview and all details. The dialog has its own address. */
export function ContentDialog({ id, onClose, onDelete }: Props) {
  const { t } = useTranslation();
  const reach = useReach();
  const may = useMay('content', id);
  const query = useQuery(contentQuery(id));
  const content = query.data?.content;
  const etag = query.data?.etag;
  const canWrite = content !== undefined && reach.has(content.folder_id);
  return (
    <Dialog size="full" title={content?.filename ?? <Bone width="12rem" />} onClose={onClose}>
      <Unanswered query={query} />
      {content && (
        <div className="preview">
          {content.kind === 'design' ? (
            <Suspense fallback={<Bone height="16rem" radius="var(--r-l)" />}>
              <DesignWords content={content} etag={etag} canChange={canWrite && may.may} />
            </Suspense>
          ) : (
            <ContentPreview key={content.sha256} content={content} />
          )}
          <div className="preview-side">
            {content.fetch_error && (
              <Notice tone="warn" title={t('content.notFetchedYet', { reason: worded(content.fetch_error) })} />
            )}
            <PlaybackProblems question={{ content_id: content.id }} />
            <OriginalFile content={content} etag={etag} canReplace={canWrite && may.may} />
            <div>
              <ReportLink of={{ kind: 'content', id: content.id }} size="small" />
            </div>
            <ManagedMark kind="content" id={content.id} isLink />
            {(!canWrite || may.isHeld) && <Hindered why={may.why} />}
            {canWrite && <ContentForm key={content.id} content={content} etag={etag} may={may} />}
            <ContentFacts content={content} />
            <UsedIn id={content.id} />
            <Foot
              content={content}
              etag={etag}
              canReplace={canWrite && may.may}
              // Taking content off screens needs no approval.
              canDelete={canWrite && (may.may || may.needsApproval)}
              onDelete={onDelete}
            />
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
    [t('reports.duration'), content.duration_sec === null ? null : formatClock(content.duration_sec)],
    [t('content.size'), content.file_size > 0 ? format.bytes(content.file_size) : null],
    [t('content.added'), format.dateTime(content.created_at)],
    [
      t('content.fetched'),
      content.fetched_at !== null && !content.fetch_error && content.file_size > 0
        ? format.dateTime(content.fetched_at)
        : null,
    ],
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

function Foot({
  content,
  etag,
  canReplace,
  canDelete,
  onDelete,
}: {
  content: Content;
  etag: string | undefined;
  canReplace: boolean;
  canDelete: boolean;
  onDelete: (content: Content) => void;
}) {
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
      {canReplace && <ReplaceFile content={content} etag={etag} />}
      {content.file_size > 0 && (
        <Button icon={Download} size="small" isPending={busy} onPress={() => void download()}>
          {t('content.download')}
        </Button>
      )}
      {canDelete && (
        <Button icon={Trash2} size="small" variant="danger-quiet" onPress={() => onDelete(content)}>
          {t('common.delete')}
        </Button>
      )}
    </div>
  );
}

function ReplaceFile({ content, etag }: { content: Content; etag: string | undefined }) {
  const { t } = useTranslation();
  const { take, dialog } = useReplacing({ content, etag });
  return (
    <>
      <FileTrigger acceptedFileTypes={ACCEPT} onSelect={(files) => take(files?.[0])}>
        <Button icon={RefreshCw} size="small">
          {t('content.replace')}
        </Button>
      </FileTrigger>
      {dialog}
    </>
  );
}

type Draft = Pick<Content, 'filename' | 'folder' | 'folder_id' | 'remote_url' | 'valid_from' | 'valid_until'>;
const ROOT = '';

type FormProps = {
  content: Content;
  etag: string | undefined;
  /** Whether the user may change the content, and what screens show of it. */
  may: May;
};

/** Form with the editable details of a content: name, folder, label, validity, address. */
function ContentForm({ content, etag, may }: FormProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { tree } = useFolders();
  const reach = useReach();
  const [changes, setChanges] = useState<Partial<Draft>>({});
  const [problem, setProblem] = useState<string>();
  const draft: Draft = {
    filename: content.filename,
    folder: content.folder,
    folder_id: content.folder_id,
    remote_url: content.remote_url,
    valid_from: content.valid_from,
    valid_until: content.valid_until,
    ...changes,
  };
  const changed = (Object.keys(changes) as (keyof Draft)[]).filter((key) => changes[key] !== content[key]);
  const dirty = changed.length > 0 && draft.filename.trim() !== '' && !endsBeforeItBegins(draft);
  const change = (part: Partial<Draft>) => {
    setChanges((now) => ({ ...now, ...part }));
    setProblem(undefined);
  };
  const save = useEdit<void, Content>({
    topics: ['content'],
    run: () =>
      client.call(updateContent, {
        params: { id: content.id },
        body: Object.fromEntries(changed.map((key) => [key, draft[key]])) as ContentChange,
        ifMatch: etag,
      }),
    said: () => t('common.saved'),
    done: () => setChanges({}),
    failed: (error) => {
      if (!(error instanceof ApiError)) return false;
      if (error.status === 400 && error.message.startsWith('remote_url')) {
        setProblem(error.message.replace(/^remote_url: /, ''));
        return true;
      }
      if (error.status !== 412) return false;
      void queries.invalidateQueries({ queryKey: contentQuery(content.id).queryKey });
      return false;
    },
  });
  return (
    <ChangeForm
      changed={changed.length > 0}
      valid={dirty}
      isPending={save.isPending}
      size="small"
      onSave={() => save.mutate()}
      onDiscard={() => setChanges({})}
    >
      <TextField
        label={t('common.name')}
        value={draft.filename}
        onChange={(filename) => change({ filename })}
        maxLength={200}
        isDisabled={may.isHeld}
      />
      {content.remote_url !== null && (
        <TextField
          label={t('common.address')}
          value={draft.remote_url ?? ''}
          onChange={(remote_url) => change({ remote_url })}
          maxLength={2000}
          isDisabled={!may.may}
          spellCheck="false"
          error={problem}
        />
      )}
      <Select
        label={t('content.folder')}
        value={draft.folder_id ?? ROOT}
        onChange={(id) => change({ folder_id: id || null })}
        options={[
          ...(reach.has(null) ? [{ value: ROOT, label: t('content.noFolder') }] : []),
          ...flatten(tree)
            .filter(({ folder }) => reach.has(folder.id))
            .map(({ folder, depth }) => ({
              value: folder.id,
              label: `${'   '.repeat(depth)}${folder.name}`,
            })),
        ]}
      />
      <TextField
        label={t('content.label')}
        hint={t('content.labelHint')}
        value={draft.folder}
        onChange={(folder) => change({ folder })}
        maxLength={200}
      />
      {may.may && <ValidityFields valid={draft} onChange={change} />}
      {may.why !== undefined && !may.isHeld && (
        <p className="field-hint">{may.needsApproval ? t('approval.neededSeen') : may.why}</p>
      )}
      {isMinute(draft.valid_until) && <PlaysThen content={content} until={draft.valid_until} />}
    </ChangeForm>
  );
}

/** Returns whether the text is a complete date and time. The text is shorter while the user fills in the field. */
const isMinute = (text: string | null): text is string => text !== null && /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text);
