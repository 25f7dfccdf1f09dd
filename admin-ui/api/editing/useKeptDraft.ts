import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { browserStore } from '../../components/hooks/browserStore.ts';
import { meQuery } from '../session/me.ts';
import { Drafts, fitting, type Kept } from './drafts.ts';

const drafts = new Drafts({ storage: browserStore });

/** Milliseconds after the last change until the input is stored. */
const PAUSE_MS = 300;

export type Keeping<T> = {
  /** Identifies the record or the form, such as `widgets/ID` or `groups/new`. Undefined: nothing is stored. */
  place: string | undefined;
  value: T;
  /** Whether the record has unsaved changes. */
  changed: boolean;
  /** ETag of the record version on which the changes are based. */
  base?: string | undefined;
  /** Replaces the value on the page by the stored value. */
  restore: (value: T, base: string | undefined) => void;
};

/** Offer to restore unsaved work from an earlier visit. */
export interface Offer {
  /** Time of the last change, in epoch milliseconds. */
  readonly at: number;
  readonly restore: () => void;
  readonly discard: () => void;
}

/**
 * Stores unsaved work in the browser, and offers it when the user returns. The stored work is removed when nothing
 * is unsaved any more (after saving or undoing), and by `drop`.
 */
export const useKeptDraft = <T>({ place, value, changed, base, restore }: Keeping<T>) => {
  const owner = useQuery({ ...meQuery, select: (me) => `${me.id}.${me.current_workspace_id}` }).data;
  const key = owner === undefined || place === undefined ? undefined : `${owner}.${place}`;
  const [offered, setOffered] = useState<Kept | undefined>(() => {
    const kept = key === undefined ? undefined : drafts.find(key);
    const before = kept && fitting(value, kept.value);
    if (!kept || before === undefined || JSON.stringify(before) === JSON.stringify(value)) return undefined;
    return { ...kept, value: before };
  });
  const keeps = useRef(false);
  const keep = useRef<() => void>(() => undefined);
  keep.current = () => {
    if (key !== undefined && keeps.current) drafts.store(key, { base: base ?? null, value });
  };
  const text = changed ? JSON.stringify(value) : '';
  useEffect(() => {
    if (key === undefined || changed === keeps.current) return;
    keeps.current = changed;
    if (!changed) drafts.drop(key);
  }, [key, changed]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is kept anew when it changes
  useEffect(() => {
    if (!changed) return;
    const timer = setTimeout(() => keep.current(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, changed]);
  useEffect(() => {
    const now = () => keep.current();
    addEventListener('pagehide', now);
    return () => {
      removeEventListener('pagehide', now);
      now();
    };
  }, []);
  const drop = () => {
    keeps.current = false;
    setOffered(undefined);
    if (key !== undefined) drafts.drop(key);
  };
  const offer: Offer | undefined = offered && {
    at: offered.at,
    restore: () => {
      setOffered(undefined);
      restore(offered.value as T, offered.base ?? undefined);
    },
    discard: drop,
  };
  return { offer, drop };
};
