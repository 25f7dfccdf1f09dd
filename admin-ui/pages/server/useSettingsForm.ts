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

/** Unsaved changes. */
export type DraftOf<Change> = { [K in keyof Change]?: Exclude<Change[K], undefined> };

/** A group of server settings in the editor. Members that are not a number yet are NaN, and prevent saving. */
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
    /** The server's error message. */
    problem,
    changed: Object.keys(changes).length > 0,
    valid: !Object.values(changes).some((value) => typeof value === 'number' && Number.isNaN(value)),
  };
};

/** Common members of all such forms, for the box with the buttons. */
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
    /** For secrets, which the server never returns: empty until one is typed. */
    secret: (name: 'webhook_secret' | 'mqtt_password'): string => form.draft[name] ?? '',
  };
};

export type UpkeepForm = ReturnType<typeof useUpkeepForm>;
