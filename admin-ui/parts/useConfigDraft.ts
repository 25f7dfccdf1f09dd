import { useState } from 'react';
import type { Valid } from '../../shared/contract/validity.ts';

export type Config = Readonly<Record<string, unknown>>;
export type ConfigRecord = {
  readonly name: string;
  readonly config: Config;
  /** Of widgets: when it is shown. */
  readonly valid?: Valid;
};

/**
 * A record with a config that is edited as a whole and saved at once. What others save meanwhile is followed while
 * there is nothing to lose; else `conflict` says so, and the person decides.
 */
export const useConfigDraft = (record: ConfigRecord, etag: string | undefined) => {
  const [changes, setChanges] = useState<Partial<ConfigRecord>>({});
  /** The ETag of the version that the changes were made on. */
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
    /** The draft, as whoever keeps it calls it. */
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
    /** Makes somebody else's version the one that saving writes over. */
    keepMine: () => setBase(etag),
    forget: () => setChanges({}),
    /** Puts changes in its place that were made before, on the version of that ETag. */
    restore: (kept: ConfigRecord, keptBase: string | undefined) => {
      setBase(keptBase);
      setChanges(kept);
    },
  };
};
export type ConfigDraft = ReturnType<typeof useConfigDraft>;

/** Leaves out what is empty, so that the product's default holds, even a better one of a later version. */
export const withKey = (config: Config, key: string, value: unknown): Config => {
  const { [key]: _, ...rest } = config;
  return value === undefined || value === null || value === '' ? rest : { ...config, [key]: value };
};

export const textIn = (config: Config, key: string): string => (typeof config[key] === 'string' ? config[key] : '');
export const numberIn = (config: Config, key: string): number | null =>
  typeof config[key] === 'number' ? config[key] : null;
export const flagIn = (config: Config, key: string, fallback: boolean): boolean =>
  typeof config[key] === 'boolean' ? config[key] : fallback;
/** Members of a list that are objects; whatever else other clients stored there is left alone. */
export const listIn = (config: Config, key: string): Config[] =>
  Array.isArray(config[key])
    ? (config[key] as unknown[]).filter(
        (one): one is Config => typeof one === 'object' && one !== null && !Array.isArray(one),
      )
    : [];
