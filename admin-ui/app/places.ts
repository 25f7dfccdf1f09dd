/** The places of the window in the order of the navigation. */
import { Clapperboard, Image, Monitor } from 'lucide-react';

export const placeGroups = [
  {
    title: null,
    places: [
      { to: '/screens', label: 'nav.screens', icon: Monitor },
      { to: '/content', label: 'nav.content', icon: Image },
      { to: '/playlists', label: 'nav.playlists', icon: Clapperboard },
    ],
  },
] as const;
