import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { ApiError } from '../../../shared/contract/errors.ts';
import { type Edit, useEdit } from './useEdit.ts';
import { issueOf, refusalOf } from './useForm.utils.ts';
import { useKeptDraft } from './useKeptDraft.ts';

type Texts<V> = Partial<Record<keyof V, string>>;
type FormOptions<V, R> = Omit<Edit<V, R>, 'failed'> & {
  start: V;
  /** Schema of the request body, from the contract of the API. Fields that the form does not have must be optional. */
  schema: z.ZodType;
  /**
   * Identifies the form. With `place`, the input is kept in the browser until it is sent (useKeptDraft).
   * @default input is not kept
   */
  place?: string;
  /**
   * Returns the messages of the fields that a server error is about. If it returns undefined, the messages appear at
   * the fields that the error names.
   */
  refused?: (error: ApiError, values: V) => Texts<V> | undefined;
};

/**
 * Hook for a form: its values, checked by the server's schema. Error messages appear at the fields after the first
 * attempt to send. Errors from the server appear at the fields that they name.
 */
export const useForm = <V extends object, R>({ start, schema, place, refused, ...edit }: FormOptions<V, R>) => {
  const { t } = useTranslation();
  const [values, setValues] = useState(start);
  const kept = useKeptDraft({
    place,
    value: values,
    changed: JSON.stringify(values) !== JSON.stringify(start),
    restore: (before) => setValues({ ...start, ...before }),
  });
  const [asked, setAsked] = useState(false);
  const [refusals, setRefusals] = useState<Texts<V>>({});
  const sending = useEdit<V, R>({
    ...edit,
    done: (result, sent) => {
      kept.drop();
      edit.done?.(result, sent);
    },
    failed: (error, sent) => {
      if (!(error instanceof ApiError)) return false;
      const said = refused?.(error, sent) ?? refusalOf(error);
      if (!said || !Object.keys(said).some((name) => name in start)) return false;
      setRefusals(said as Texts<V>);
      return true;
    },
  });
  const set = (change: Partial<V>) => {
    setValues((before) => ({ ...before, ...change }));
    setRefusals((before) => ({
      ...before,
      ...Object.fromEntries(Object.keys(change).map((name) => [name, undefined])),
    }));
  };
  const { error } = schema.safeParse(values);
  /** Returns the props of a form field. `wrong` replaces the general message for an invalid value. */
  const field = <K extends keyof V & string>(name: K, label: string, wrong?: string) => {
    const issue = asked ? issueOf(error, name) : undefined;
    return {
      label,
      value: values[name],
      onChange: (value: V[K]) => set({ [name]: value } as unknown as Partial<V>),
      error: issue ? (wrong ?? t(`form.${issue}`, { field: label })) : refusals[name],
    };
  };
  const send = () => {
    setAsked(true);
    if (!error) sending.mutate(values);
  };
  return {
    values,
    set,
    field,
    send,
    isPending: sending.isPending,
    /** Input from an earlier visit that was never sent. */
    offer: kept.offer,
    /** Discards the input from the earlier visit. */
    discard: kept.drop,
  };
};
