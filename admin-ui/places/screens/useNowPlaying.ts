import { useQuery } from '@tanstack/react-query';
import type { Device } from '../../../shared/contract/devices.ts';
import { contentQuery } from '../../data/content.ts';

/** Returns the name of the present content; with several zones, of the first zone with a content. */
export const useNowPlaying = (showing: Device['showing']): string | null => {
  const id = showing.find((zone) => zone.content_id !== null)?.content_id ?? null;
  const content = useQuery({ ...contentQuery(id ?? ''), enabled: id !== null, staleTime: 5 * 60_000 });
  return id === null ? null : (content.data?.content.filename ?? null);
};
