import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content/content.ts';
import { toast } from '../../components/controls/toasts.ts';
import { useUploadInto } from '../../domain/content/useUploadInto.ts';

/** Uploads pictures and clips for a design. The tray of uploads shows the progress and failures. */
export const useMediaUpload = () => {
  const { t } = useTranslation();
  const [running, setRunning] = useState(0);
  const [onReady] = useState(() => new WeakMap<File, (content: Content) => void>());
  const uploadInto = useUploadInto(undefined, (file) => (answer) => {
    setRunning((count) => Math.max(count - 1, 0));
    const content = answer as Content | undefined;
    if (!content) return;
    if (content.kind === 'image' || content.kind === 'video') onReady.get(file)?.(content);
    else toast({ tone: 'problem', text: t('designer.media.notAPicture', { name: content.filename }) });
  });
  return {
    isUploading: running > 0,
    /** @param ready called for each file that the server accepts as a picture or clip */
    upload: (files: readonly File[], ready: (content: Content) => void) => {
      setRunning((count) => count + files.length);
      for (const file of files) onReady.set(file, ready);
      void uploadInto(files.map((file) => ({ file, folders: [] })));
    },
  };
};
