/**
 * Converts layouts and schedules from database records to the form in a program. Called by the server when it compiles
 * a program, and by previews.
 */
import type { Layout, Zone } from '../contract/content/layouts.ts';
import type { ProgramItem, ProgramLayout, ProgramSchedule, ProgramZone } from './program.ts';

type ZoneRecord = Omit<Zone, 'layout_id'>;
type LayoutRecord<Z> = Pick<Layout, 'id' | 'name' | 'width' | 'height'> & { readonly zones: readonly Z[] };

/** @param itemOf returns the zone's own content or widget */
export const toProgramLayout = <Z extends ZoneRecord>(
  { id, name, width, height, zones }: LayoutRecord<Z>,
  itemOf: (zone: Z) => ProgramItem | null = () => null,
): ProgramLayout => ({
  id,
  name,
  width,
  height,
  zones: zones.map((z) => ({
    id: z.id,
    name: z.name,
    x: z.x_percent,
    y: z.y_percent,
    width: z.width_percent,
    height: z.height_percent,
    z_index: z.z_index,
    zone_type: z.zone_type,
    fit: z.fit_mode,
    background: z.background_color,
    ...fillOf(z.playlist_id, itemOf(z)),
  })),
});

const fillOf = (playlist_id: string | null, item: ProgramItem | null): Pick<ProgramZone, 'fill'> =>
  playlist_id || item ? { fill: { playlist_id, item: playlist_id ? null : item } } : {};

type ScheduleRecord = Omit<ProgramSchedule, 'target' | 'start' | 'end' | 'item'> & {
  readonly device_id: string | null;
  readonly start_time: string;
  readonly end_time: string;
};

/** @param item the schedule's own content or widget, in addition to playlist and layout */
export const toProgramSchedule = (s: ScheduleRecord, item: ProgramItem | null): ProgramSchedule => ({
  id: s.id,
  title: s.title,
  target: s.device_id ? 'device' : 'group',
  priority: s.priority,
  created_at: s.created_at,
  start: s.start_time,
  end: s.end_time,
  timezone: s.timezone,
  recurrence: s.recurrence,
  recurrence_end: s.recurrence_end,
  zone_id: s.zone_id,
  item,
  playlist_id: s.playlist_id,
  layout_id: s.layout_id,
});
