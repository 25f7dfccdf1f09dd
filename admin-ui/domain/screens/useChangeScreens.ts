import { useTranslation } from 'react-i18next';
import { type BackChange, changeDevices } from '../../../shared/contract/screens/device-bulk.ts';
import type { Topic } from '../../../shared/protocol/live.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { client } from '../../api/requests/client.ts';
import type { ToastContent } from '../../components/controls/toasts.ts';

const TOPICS: readonly Topic[] = ['devices', 'groups', 'playlists'];

type ChangeScreens = {
  /** Message to the user, with a button to undo the change. */
  said: (count: number) => Omit<ToastContent, 'tone' | 'action'>;
  done: () => void;
  /** Runs before the change. If it throws, nothing is changed. */
  before?: (() => Promise<unknown>) | undefined;
};

/** Changes many screens in one request, and offers to undo the change. */
export const useChangeScreens = ({ said, done, before }: ChangeScreens) => {
  const { t } = useTranslation();
  const send = (changes: readonly BackChange[]) =>
    client.call(changeDevices, { body: { changes: changes as BackChange[] } });
  const back = useEdit({ topics: TOPICS, run: send });
  return useEdit({
    topics: TOPICS,
    run: async (changes: readonly BackChange[]) => {
      await before?.();
      return send(changes);
    },
    said: ({ devices_updated: count, undo }) => ({
      ...said(count),
      ...(undo.length > 0 && { action: { label: t('common.undo'), run: () => back.mutate(undo) } }),
    }),
    done,
  });
};
