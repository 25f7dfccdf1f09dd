import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Release, uploadRelease } from '../../../shared/contract/updates.ts';
import { toast } from '../../components/toasts.ts';
import { sendFile } from '../../data/sendFile.ts';
import { useProblem } from '../../data/useProblem.ts';
import { inSendingOrder } from './updates.utils.ts';

/** The files of a release, one after the other, their signatures last; the first that is refused ends it. */
export const useReleaseUpload = () => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [way, setWay] = useState({ file: '', share: 0 });
  const upload = useMutation({
    mutationFn: async (files: readonly File[]) => {
      let release: Release | undefined;
      for (const file of inSendingOrder(files)) {
        setWay({ file: file.name, share: 0 });
        release = await sendFile<Release>(uploadRelease, file, (share) => setWay({ file: file.name, share }));
      }
      return release;
    },
    onSuccess: (release) => release && toast({ tone: 'done', text: t('updates.uploaded', { version: release.version }) }),
    onError: useProblem(),
    onSettled: () => queries.invalidateQueries({ queryKey: ['server'] }),
  });
  return { ...way, isPending: upload.isPending, send: (files: readonly File[]) => upload.mutate(files) };
};
