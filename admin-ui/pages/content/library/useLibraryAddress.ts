import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { type ContentSearch, filterOf, type View, views } from '../content.utils.ts';

/** A change of the library's filter, order or view. An undefined or empty value clears its field. */
export type AddressChange = {
  q?: string | undefined;
  type?: string | undefined;
  validity?: string | undefined;
  owner?: string | undefined;
  sort?: string | undefined;
  view?: string | undefined;
  folder?: string | undefined;
  label?: string | undefined;
};

/** The address of the library: the filter, the view, and the content whose dialog is open. */
export const useLibraryAddress = () => {
  const navigate = useNavigate({ from: '/content' });
  const search = useSearch({ from: '/shell/content' });
  const { q, type, sort, folder, label, validity, owner } = search;
  const filter = useMemo(
    () => filterOf({ q, type, sort, folder, label, validity, owner } as ContentSearch),
    [q, type, sort, folder, label, validity, owner],
  );
  const view: View = views.find((v) => v === search.view) ?? 'grid';
  const change = (to: AddressChange) =>
    void navigate({
      search: (now) =>
        Object.fromEntries(Object.entries({ ...now, ...to }).filter(([, v]) => v !== undefined && v !== '')),
      replace: true,
    });
  /** Opens the dialog of a content; undefined closes it. */
  const show = useCallback(
    (id: string | undefined) =>
      void navigate({ search: ({ show: _, ...now }) => (id === undefined ? now : { ...now, show: id }) }),
    [navigate],
  );
  return { q, folder, label, filter, view, change, shown: search.show, show };
};
