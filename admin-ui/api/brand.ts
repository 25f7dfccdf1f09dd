import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { getBrand, type WorkspaceBrand } from '../../shared/contract/people/brand.ts';
import { type Brand, DEFAULT_BRAND } from '../../shared/design/brand.ts';
import { queryOf } from './requests/query.ts';
import { useMe } from './session/me.ts';

export const brandQuery = (workspaceId: string) =>
  queryOf(['brand', workspaceId], getBrand, { params: { id: workspaceId } });

/** Returns the stored brand of the current workspace; undefined while it loads. */
export const useStoredBrand = (): WorkspaceBrand | undefined => {
  const id = useMe().current_workspace_id;
  return useQuery({ ...brandQuery(id ?? ''), enabled: id !== null }).data;
};

/** Returns the brand of the current workspace as designs show it; the default brand while it loads. */
export const useBrand = (): Brand => {
  const stored = useStoredBrand();
  return useMemo(() => (stored ? { ...stored, name: stored.display_name } : DEFAULT_BRAND), [stored]);
};
