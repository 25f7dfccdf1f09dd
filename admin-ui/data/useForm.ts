import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { ApiError } from '../../shared/contract/errors.ts';
import { type Edit, useEdit } from './useEdit.ts';
import { issueOf, refusalOf } from './useForm.utils.ts';
import { useKeptDraft } from './useKeptDraft.ts';

type Texts<V> = Partial<Record<keyof V, string>>;
type FormOptions<V, R> = Omit<Edit<V, R>, 'failed'> & {
  start: V;
  /** The contract's schema of what is sent. Members that the form does not have must be optional. */
  schema: z.ZodType;
  /** Names the form: what is typed into it is kept in the browser until it is sent (useKeptDraft). @default not kept */
  place?: string;
  /** Says which fields an error of the server is about, for errors that name none. */
  refused?: (error: ApiError, values: V) => Texts<V> | undefined;
};

/**
 * A form: its values, checked by the schema that the server checks them by. What is wrong is said at the fields once
 * somebody has tried to send, and what the server refuses is said at the fields that it names.
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
  /** Says `wrong` in place of what forms say of any field. */
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
    /** What was typed into it before, when it was never sent. */
    offer: kept.offer,
    /** Forgets what is typed: the person does not want it. */
    discard: kept.drop,
  };
};
