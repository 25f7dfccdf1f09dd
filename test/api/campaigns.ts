/** A campaign of headquarters, as one is made. */
import type { Room } from './site.ts';

export const campaign = (name: string, { playlist, store }: Pick<Room, 'playlist' | 'store'>) => ({
  name,
  note: '',
  rank: 'must',
  playlist_id: playlist,
  layout_id: null,
  whole_screen: true,
  start_time: '2030-01-07T09:00',
  end_time: '2030-01-07T18:00',
  recurrence: 'FREQ=DAILY',
  recurrence_end: '2030-01-31',
  begins: 'whole',
  where: { regions: ['North'], tags: ['bakery'], store_ids: [store] },
  screen_tags: ['window'],
  slots: [{ name: 'Yours', max_items: 2, max_seconds: 30, kinds: ['image'], after: 1, content_id: null }],
});
