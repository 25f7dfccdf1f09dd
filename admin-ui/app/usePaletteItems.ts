import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ArrowRight, Clapperboard, Image, type LucideIcon, Monitor, Plus, Upload } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Me } from '../../shared/contract/auth.ts';
import { contentPageQuery } from '../data/content.ts';
import { playlistsQuery } from '../data/playlists.ts';
import { screensQuery } from '../data/screens.ts';
import { goToWorkspace } from '../data/switchWorkspace.ts';
import { useProblem } from '../data/useProblem.ts';
import { bestOf } from './palette.utils.ts';
import { may, navigationPlaces, settingsPlaces } from './places.ts';

export type PaletteItem = { id: string; name: string; hint?: string | undefined; icon: LucideIcon; run: () => void };
export type PaletteGroup = { id: string; title: string; items: PaletteItem[] };

const MOST = 7;
/** Contents are asked of the server; not with each letter. */
const PAUSE_MS = 150;

const useSettled = (text: string): string => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
};

/** Everything one can go to that is called as typed, in groups. */
export const usePaletteItems = (me: Me, typed: string): PaletteGroup[] => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const tell = useProblem();
  const screens = useQuery(screensQuery).data ?? [];
  const playlists = useQuery(playlistsQuery).data ?? [];
  const settled = useSettled(typed.trim());
  const contents = useQuery({ ...contentPageQuery({ q: settled }, 0), enabled: settled !== '' }).data?.rows ?? [];

  const goTo = (to: string) => () => void navigate({ to });
  const places: PaletteItem[] = [
    ...navigationPlaces.map(({ path, title, icon }) => ({ id: path, name: t(title), icon, run: goTo(path) })),
    ...settingsPlaces.filter(({ needs }) => may(me, needs)).map(({ path, title }) => ({ id: path, name: t(title), hint: t('nav.settings'), icon: ArrowRight, run: goTo(path) })),
  ];
  const actions: PaletteItem[] = me.can_write
    ? [
        { id: 'connect', name: t('palette.connect'), icon: Plus, run: () => void navigate({ to: '/screens', search: { connect: true } }) },
        { id: 'playlist', name: t('palette.newPlaylist'), icon: Plus, run: () => void navigate({ to: '/playlists', search: { new: true } }) },
        { id: 'upload', name: t('palette.upload'), icon: Upload, run: goTo('/content') },
      ]
    : [];
  const others = me.accessible_workspaces.filter((w) => w.id !== me.current_workspace_id);
  const workspaces: PaletteItem[] = others.map((w) => ({
    id: w.id,
    name: w.name,
    hint: w.organization_name,
    icon: ArrowRight,
    run: () => void navigate({ to: '/screens' }).then(() => goToWorkspace(w.id).catch(tell)),
  }));

  const isEmpty = typed.trim() === '';
  const best = (items: readonly PaletteItem[], most = MOST) => bestOf(items, (item) => item.name, typed, most);
  const groups: PaletteGroup[] = [
    {
      id: 'screens',
      title: t('palette.screens'),
      items: best(screens.map((s) => ({ id: s.id, name: s.name, icon: Monitor, run: () => void navigate({ to: '/screens/$screenId', params: { screenId: s.id } }) }))),
    },
    {
      id: 'playlists',
      title: t('palette.playlists'),
      items: best(playlists.map((p) => ({ id: p.id, name: p.name, icon: Clapperboard, run: () => void navigate({ to: '/playlists/$playlistId', params: { playlistId: p.id } }) }))),
    },
    {
      id: 'contents',
      title: t('palette.contents'),
      items: isEmpty ? [] : contents.slice(0, MOST).map((c) => ({ id: c.id, name: c.filename, icon: Image, run: () => void navigate({ to: '/content', search: { show: c.id } }) })),
    },
    { id: 'workspaces', title: t('palette.workspaces'), items: best(workspaces) },
  ];
  const doing = [
    { id: 'places', title: t('palette.places'), items: best(places, isEmpty ? places.length : MOST) },
    { id: 'actions', title: t('palette.actions'), items: best(actions) },
  ];
  // Whoever types nothing looks for a place; whoever types a name mostly means a thing.
  return (isEmpty ? [...doing, ...groups.slice(0, 1)] : [...groups, ...doing]).filter((group) => group.items.length > 0);
};
