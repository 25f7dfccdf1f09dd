import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content.ts';
import { Button } from '../../components/Button.tsx';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { contentUsageQuery } from '../../data/content.ts';
import { uploads } from '../../data/useUploads.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { ACCEPT } from './accept.ts';

/** Puts another file in its place, everywhere it is used. Screens change over as soon as it has arrived. */
export function ReplaceFile({ content, etag }: { content: Content; etag: string | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const screens = useQuery(contentUsageQuery(content.id)).data?.screens ?? [];
  const [file, setFile] = useState<File>();
  const replace = (by: File) => {
    uploads.add([by], { replace: { id: content.id, etag } });
    setFile(undefined);
  };
  return (
    <>
      <FileTrigger
        acceptedFileTypes={ACCEPT}
        onSelect={(files) => {
          const chosen = files?.[0];
          if (chosen && screens.length === 0) replace(chosen);
          else setFile(chosen);
        }}
      >
        <Button icon={RefreshCw} size="small">
          {t('content.replace')}
        </Button>
      </FileTrigger>
      {file && (
        <ConfirmDialog
          title={t('content.replaceAsk', { name: content.filename, file: file.name })}
          confirm={t('content.replaceNow')}
          onConfirm={() => replace(file)}
          onClose={() => setFile(undefined)}
        >
          <p>{t('content.replaceEffects', { count: screens.length, names: format.list(screens.slice(0, 7).map((s) => s.name)) })}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
