import { useMutation, useQuery } from '@tanstack/react-query';
import { Download, FileInput } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useTranslation } from 'react-i18next';
import { Button } from '../components/Button.tsx';
import { toast } from '../components/toasts.ts';
import { saveExport } from '../data/exchange.ts';
import { meQuery } from '../data/me.ts';
import { useProblem } from '../data/useProblem.ts';
import { ImportDialog } from './ImportDialog.tsx';

/** Takes a workspace's work along as a ZIP, and takes one over. */
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
        {me?.can_write && (
          <FileTrigger acceptedFileTypes={['.zip', '.json', 'application/zip', 'application/json']} onSelect={(files) => setFile(files?.[0])}>
            <Button icon={FileInput}>{t('exchange.import')}</Button>
          </FileTrigger>
        )}
      </div>
      {file && <ImportDialog file={file} workspace={workspace} onClose={() => setFile(undefined)} />}
    </>
  );
}
