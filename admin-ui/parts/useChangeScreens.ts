import { useTranslation } from 'react-i18next';
import { type BackChange, changeDevices } from '../../shared/contract/device-bulk.ts';
import type { Topic } from '../../shared/protocol/live.ts';
import type { ToastContent } from '../components/toasts.ts';
import { client } from '../data/client.ts';
import { useEdit } from '../data/useEdit.ts';

const TOPICS: readonly Topic[] = ['devices', 'groups', 'playlists'];

type ChangeScreens = {
  /** What the person is told, who can take it back there. */
  said: (count: number) => Omit<ToastContent, 'tone' | 'action'>;
  done: () => void;
  /** Comes before the change; what it throws keeps it from being made. */
  before?: (() => Promise<unknown>) | undefined;
};

/** Changes many screens in one request, and offers to put them back as they were. */
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
