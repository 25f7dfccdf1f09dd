import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, FileInput } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useTranslation } from 'react-i18next';
import type { Imported } from '../../../shared/contract/content/exchange.ts';
import type { Me } from '../../../shared/contract/people/auth.ts';
import { importArchive, type Preview, previewOf, saveExport } from '../../api/files/exchange.ts';
import { describeProblem, useProblem } from '../../api/requests/useProblem.ts';
import { canShow, meQuery } from '../../api/session/me.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/controls/Dialog.tsx';
import { toast } from '../../components/controls/toasts.ts';
import { Bone, Notice, Progress } from '../../components/frame/Page.tsx';
import { worded } from '../../i18n/sentences.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import './ImportDialog.css';

/** Exports the records of a workspace as a ZIP, and imports such a file. */
export function Exchange() {
  const { t } = useTranslation();
  const me = useQuery(meQuery).data;
  const [file, setFile] = useState<File>();
  const workspace = me?.accessible_workspaces.find(({ id }) => id === me.current_workspace_id)?.name ?? '';
  const save = useMutation({
    mutationFn: () => saveExport(`${workspace || 'Vitrine'}.zip`),
    onSuccess: () => toast({ tone: 'done', text: t('exchange.exported') }),
    onError: useProblem(),
  });
  return (
    <>
      <p>{t('exchange.workspace', { name: workspace })}</p>
      <div className="form-actions">
        <Button icon={Download} isPending={save.isPending} onPress={() => save.mutate()}>
          {t('exchange.export')}
        </Button>
        {me && mayImport(me) && (
          <FileTrigger
            acceptedFileTypes={['.zip', '.json', 'application/zip', 'application/json']}
            onSelect={(files) => setFile(files?.[0])}
          >
            <Button icon={FileInput}>{t('exchange.import')}</Button>
          </FileTrigger>
        )}
      </div>
      {file && <ImportDialog file={file} workspace={workspace} onClose={() => setFile(undefined)} />}
    </>
  );
}

/** Offers the import only to users who may change everything, including screens, because an import does. */
const mayImport = (me: Me): boolean => canShow(me) && me.rights.folder_ids === null && me.rights.group_ids === null;

const kinds = ['contents', 'widgets', 'kiosk_pages', 'layouts', 'playlists', 'groups', 'schedules'] as const;
type Counts = Pick<Imported, (typeof kinds)[number]>;

/** Shows the content of an export before the import, then the progress, and the result. */
function ImportDialog({ file, workspace, onClose }: { file: File; workspace: string; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queries = useQueryClient();
  const [share, setShare] = useState(0);
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  const preview = useQuery({
    queryKey: ['import-preview', file.name, file.size, file.lastModified],
    queryFn: () => previewOf(file),
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const take = useMutation({
    mutationFn: () => {
      abort.current = new AbortController();
      return importArchive(file, setShare, abort.current.signal);
    },
    // Fetches all data again, since an import changes nearly all of them.
    onSettled: () => queries.invalidateQueries(),
  });
  const problem = preview.error ?? (take.error && take.error.name !== 'AbortError' ? take.error : null);
  const text = problem && describeProblem(problem, t);
  const isEmpty = preview.data !== undefined && kinds.every((kind) => preview.data[kind] === 0);
  return (
    <Dialog
      title={take.data ? t('exchange.done') : t('exchange.importTitle', { file: file.name })}
      onClose={onClose}
      actions={
        take.data ? (
          <Button variant="primary" onPress={onClose}>
            {t('common.close')}
          </Button>
        ) : (
          <>
            <Button onPress={onClose}>{t('common.cancel')}</Button>
            <Button
              variant="primary"
              isPending={take.isPending}
              isDisabled={!preview.data || isEmpty}
              onPress={() => take.mutate()}
            >
              {t('exchange.take')}
            </Button>
          </>
        )
      }
    >
      {text && (
        <Notice tone="bad" title={text.text}>
          {text.detail ?? problem.message}
        </Notice>
      )}
      {preview.isPending && <Bone height="9rem" />}
      {preview.data && !take.data && (
        <>
          <p>{t(`exchange.from.${preview.data.from}`, { workspace })}</p>
          <CountList counts={preview.data} />
          {isEmpty && <p>{t('exchange.empty')}</p>}
          <Remarks preview={preview.data} />
        </>
      )}
      {take.isPending && (
        <div className="import-way" role="status">
          <Progress share={share} label={t('common.arrived')} />
          <p>{share < 1 ? t('exchange.sent', { share: format.percent(share) }) : t('exchange.taking')}</p>
        </div>
      )}
      {take.data && (
        <>
          <p role="status">{t('exchange.added', { workspace })}</p>
          <CountList counts={take.data} />
          {take.data.warnings.length > 0 && (
            <>
              <h3>{t('exchange.leftOut', { count: take.data.warnings.length })}</h3>
              <ul className="import-warnings">
                {take.data.warnings.map((warning) => (
                  <li key={warning}>{worded(warning)}</li>
                ))}
              </ul>
            </>
          )}
        </>
      )}
    </Dialog>
  );
}

function CountList({ counts }: { counts: Counts }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <dl className="import-counts">
      {kinds
        .filter((kind) => counts[kind] > 0)
        .map((kind) => (
          <div key={kind}>
            <dt>{t(`exchange.kinds.${kind}`)}</dt>
            <dd>{format.number(counts[kind])}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Lists differences from the export. */
function Remarks({
  preview: { contents, files, groups_there: groups, screens_missing: screens },
}: {
  preview: Preview;
}) {
  const { t } = useTranslation();
  return (
    <>
      {contents > 0 && files === null && <Notice tone="warn" title={t('exchange.noFiles')} />}
      {screens.length > 0 && (
        <Notice
          tone="warn"
          title={t('exchange.screensMissing', { count: screens.length, names: screens.join(', ') })}
        />
      )}
      {groups.length > 0 && (
        <Notice tone="info" title={t('exchange.groupsThere', { count: groups.length, names: groups.join(', ') })} />
      )}
    </>
  );
}
