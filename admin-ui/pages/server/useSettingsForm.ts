import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import { type Connections, type ConnectionsChange, updateConnections } from '../../../shared/contract/server/server.ts';
import {
  type UpkeepChange,
  type UpkeepSettings,
  updateUpkeepSettings,
} from '../../../shared/contract/server/upkeep.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { client } from '../../api/requests/client.ts';
import { changesOf } from './server.utils.ts';

/** Unsaved changes of settings. */
export type DraftOf<Change> = { [K in keyof Change]?: Exclude<Change[K], undefined> };

/** Form for a group of server settings. A number that is not complete yet is NaN and prevents saving. */
export const useSettingsForm = <Stored extends object, Change extends object>(
  stored: Stored,
  send: (changes: DraftOf<Change>) => Promise<unknown>,
) => {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<DraftOf<Change>>({});
  const [problem, setProblem] = useState<string>();
  const changes = changesOf<DraftOf<Change>>(draft, stored as DraftOf<Change>);
  const save = useEdit({
    topics: ['settings'],
    run: () => send(changes as DraftOf<Change>),
    said: () => t('server.saved'),
    done: () => setDraft({}),
    failed: (error) => {
      if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 409)) return false;
      setProblem(error.message);
      return true;
    },
  });
  return {
    now: { ...stored, ...draft } as Stored,
    draft,
    set: (change: DraftOf<Change>) => {
      setProblem(undefined);
      setDraft((before) => ({ ...before, ...change }));
    },
    discard: () => {
      setProblem(undefined);
      setDraft({});
    },
    save: () => save.mutate(),
    isPending: save.isPending,
    /** Error message of the server. */
    problem,
    changed: Object.keys(changes).length > 0,
    valid: !Object.values(changes).some((value) => typeof value === 'number' && Number.isNaN(value)),
  };
};

/** The parts of such a form that the box with the buttons needs. */
export type SettingsForm = Pick<
  ReturnType<typeof useSettingsForm>,
  'problem' | 'changed' | 'valid' | 'isPending' | 'save' | 'discard'
>;

export const useConnectionsForm = (settings: Connections) =>
  useSettingsForm<Connections, ConnectionsChange>(settings, (body) => client.call(updateConnections, { body }));

export const useUpkeepForm = (settings: UpkeepSettings) => {
  const form = useSettingsForm<UpkeepSettings, UpkeepChange>(settings, (body) =>
    client.call(updateUpkeepSettings, { body }),
  );
  return {
    ...form,
    /** Returns the typed secret. Empty until the user types one, since the server never returns secrets. */
    secret: (name: 'webhook_secret' | 'mqtt_password'): string => form.draft[name] ?? '',
  };
};

export type UpkeepForm = ReturnType<typeof useUpkeepForm>;
