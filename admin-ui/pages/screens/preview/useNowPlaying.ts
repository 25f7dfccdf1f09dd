import { useQuery } from '@tanstack/react-query';
import type { Device } from '../../../../shared/contract/screens/devices.ts';
import { contentQuery } from '../../../api/files/content.ts';
import { widgetQuery } from '../../../api/widgets.ts';

const STALE_MS = 5 * 60_000;

/**
 * Returns the name of the content that a screen shows, otherwise of its widget. With several zones, uses the first
 * zone with a name. Null: nothing with a name is shown, or the name is not loaded yet.
 */
export const useNowPlaying = (showing: Device['showing']): string | null => {
  const contentId = showing.find((zone) => zone.content_id !== null)?.content_id ?? null;
  const widgetId = contentId === null ? (showing.find((zone) => zone.widget_id !== null)?.widget_id ?? null) : null;
  const content = useQuery({ ...contentQuery(contentId ?? ''), enabled: contentId !== null, staleTime: STALE_MS });
  const widget = useQuery({ ...widgetQuery(widgetId ?? ''), enabled: widgetId !== null, staleTime: STALE_MS });
  if (contentId !== null) return content.data?.content.filename ?? null;
  return widgetId === null ? null : (widget.data?.widget.name ?? null);
};
