import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import { type UpkeepChange, type UpkeepSettings, updateUpkeepSettings } from '../../../shared/contract/upkeep.ts';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { useEdit } from '../../data/useEdit.ts';
import { changesOf } from './server.utils.ts';

/** What has been changed and not saved. */
type Draft = { [K in keyof UpkeepChange]?: Exclude<UpkeepChange[K], undefined> };

/** A part of the settings while it is being changed. Members that are not a number yet are NaN, and keep it from being saved. */
export const useUpkeepForm = (settings: UpkeepSettings) => {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<Draft>({});
  const [problem, setProblem] = useState<string>();
  const changes = changesOf<Draft>(draft, settings as Draft);
  const save = useEdit({
    topics: ['settings'],
    run: () => client.call(updateUpkeepSettings, { body: changes }),
    done: () => {
      setDraft({});
      toast({ tone: 'done', text: t('server.saved') });
    },
    failed: (error) => {
      if (!(error instanceof ApiError) || error.status !== 400) return false;
      setProblem(error.message);
      return true;
    },
  });
  return {
    now: { ...settings, ...draft },
    /** Secrets go in and never come out: empty until one is typed. */
    secret: (name: 'webhook_secret' | 'mqtt_password'): string => draft[name] ?? '',
    set: (change: Draft) => {
      setProblem(undefined);
      setDraft((before) => ({ ...before, ...change }));
    },
    discard: () => {
      setProblem(undefined);
      setDraft({});
    },
    save: () => save.mutate(),
    isPending: save.isPending,
    /** What the server says is wrong. */
    problem,
    changed: Object.keys(changes).length > 0,
    valid: !Object.values(changes).some((value) => typeof value === 'number' && Number.isNaN(value)),
  };
};

export type UpkeepForm = ReturnType<typeof useUpkeepForm>;
