/** The places of the window in the order of the navigation. On phones the first three stand at the bottom, the others behind "More". */
import { Blocks, CalendarDays, ChartColumn, Clapperboard, Grid2x2, Group, History, Image, LayoutDashboard, Monitor, PictureInPicture2, Pointer, Settings } from 'lucide-react';

export const placeGroups = [
  {
    title: null,
    places: [
      { to: '/screens', label: 'nav.screens', icon: Monitor },
      { to: '/content', label: 'nav.content', icon: Image },
      { to: '/playlists', label: 'nav.playlists', icon: Clapperboard },
    ],
  },
  {
    title: 'nav.plan',
    places: [
      { to: '/schedule', label: 'nav.schedule', icon: CalendarDays },
      { to: '/layouts', label: 'nav.layouts', icon: LayoutDashboard },
      { to: '/groups', label: 'nav.groups', icon: Group },
      { to: '/walls', label: 'nav.walls', icon: Grid2x2 },
    ],
  },
  {
    title: 'nav.make',
    places: [
      { to: '/widgets', label: 'nav.widgets', icon: Blocks },
      { to: '/kiosk', label: 'nav.kiosk', icon: Pointer },
      { to: '/overlay', label: 'nav.overlay', icon: PictureInPicture2 },
    ],
  },
  {
    title: 'nav.lookBack',
    places: [
      { to: '/reports', label: 'nav.reports', icon: ChartColumn },
      { to: '/activity', label: 'nav.activity', icon: History },
    ],
  },
  {
    title: 'nav.manage',
    places: [{ to: '/settings', label: 'nav.settings', icon: Settings }],
  },
] as const;
