import { useState } from 'react';
import type { Valid } from '../../../shared/contract/content/validity.ts';

export type Config = Readonly<Record<string, unknown>>;
export type ConfigRecord = {
  readonly name: string;
  readonly config: Config;
  /** The period of validity, for widgets. */
  readonly valid?: Valid;
};

/**
 * A record with settings that are edited as a whole and saved with one button. Without unsaved changes, the draft
 * follows other users' saves. With unsaved changes, `conflict` is set, and the user decides.
 */
export const useConfigDraft = (record: ConfigRecord, etag: string | undefined) => {
  const [changes, setChanges] = useState<Partial<ConfigRecord>>({});
  /** ETag of the version on which the unsaved changes are based. */
  const [base, setBase] = useState(etag);
  const valid = changes.valid ?? record.valid;
  const draft: ConfigRecord = {
    name: changes.name ?? record.name,
    config: changes.config ?? record.config,
    ...(valid && { valid }),
  };
  const isAlike = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const dirty =
    draft.name !== record.name || !isAlike(draft.config, record.config) || !isAlike(draft.valid, record.valid);
  const change = (part: Partial<ConfigRecord>) => {
    if (!dirty) setBase(etag);
    setChanges((now) => ({ ...now, ...part }));
  };
  return {
    draft,
    /** The same draft. The component KeptChanges expects it under this name. */
    value: draft,
    dirty,
    base,
    changes: {
      ...(draft.name !== record.name && { name: draft.name }),
      ...(changes.config && { config: { ...draft.config } }),
      ...changes.valid,
    },
    ifMatch: dirty ? base : etag,
    conflict: dirty && base !== etag,
    unnamed: draft.name.trim() === '',
    change,
    setKey: (key: string, value: unknown) => change({ config: withKey(draft.config, key, value) }),
    /** Lets the next save overwrite the other user's version. */
    keepMine: () => setBase(etag),
    forget: () => setChanges({}),
    /** Restores unsaved changes that were made on the version with this ETag. */
    restore: (kept: ConfigRecord, keptBase: string | undefined) => {
      setBase(keptBase);
      setChanges(kept);
    },
  };
};
export type ConfigDraft = ReturnType<typeof useConfigDraft>;

/** Sets a value. An empty value is left out, so that the default applies, which a later version may improve. */
export const withKey = (config: Config, key: string, value: unknown): Config => {
  const { [key]: _, ...rest } = config;
  return value === undefined || value === null || value === '' ? rest : { ...config, [key]: value };
};

export const textIn = (config: Config, key: string): string => (typeof config[key] === 'string' ? config[key] : '');
export const numberIn = (config: Config, key: string): number | null =>
  typeof config[key] === 'number' ? config[key] : null;
export const flagIn = (config: Config, key: string, fallback: boolean): boolean =>
  typeof config[key] === 'boolean' ? config[key] : fallback;
/** Returns the elements of a list that are objects. Leaves out other values, which API clients may have stored. */
export const listIn = (config: Config, key: string): Config[] =>
  Array.isArray(config[key])
    ? (config[key] as unknown[]).filter(
        (one): one is Config => typeof one === 'object' && one !== null && !Array.isArray(one),
      )
    : [];
