import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ArrowRight, Clapperboard, Image, type LucideIcon, Monitor, Plus, Search, Upload } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Group } from 'react-aria-components/Group';
import { Header } from 'react-aria-components/Header';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { SearchField } from 'react-aria-components/SearchField';
import { Text } from 'react-aria-components/Text';
import { useTranslation } from 'react-i18next';
import type { Me } from '../../shared/contract/auth.ts';
import { contentPageQuery } from '../data/content.ts';
import { playlistsQuery } from '../data/playlists.ts';
import { screensQuery } from '../data/screens.ts';
import { goToWorkspace } from '../data/switchWorkspace.ts';
import { useProblem } from '../data/useProblem.ts';
import { bestOf } from './palette.utils.ts';
import { may, navigationPlaces, settingsPlaces } from './places.ts';
import '../components/Dialog.css';
import '../components/Menu.css';
import './CommandPalette.css';

/** Goes anywhere with a few letters. The field keeps the focus; arrow keys move through what was found. */
export function CommandPalette({ me, onClose }: { me: Me; onClose: () => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const groups = usePaletteItems(me, typed);
  const run = (key: string) => {
    onClose();
    groups
      .flatMap((group) => group.items.map((item) => ({ key: keyOf(group, item.id), item })))
      .find((each) => each.key === key)
      ?.item.run();
  };
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={(open) => !open && onClose()} className="dialog-veil palette-veil">
      <Modal className="palette">
        <Dialog className="palette-dialog" aria-label={t('palette.title')}>
          <Autocomplete inputValue={typed} onInputChange={setTyped}>
            <SearchField
              aria-label={t('palette.placeholder')}
              autoFocus
              className="palette-field"
              onKeyDown={(event) => event.key === 'Escape' && onClose()}
            >
              <Group className="palette-input">
                <Search aria-hidden />
                <Input placeholder={t('palette.placeholder')} />
              </Group>
            </SearchField>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
            <section className="palette-scroll" tabIndex={0} aria-label={t('palette.found')}>
              <Menu
                className="menu palette-list"
                aria-label={t('palette.title')}
                onAction={(key) => run(String(key))}
                renderEmptyState={() => <p className="palette-none">{t('palette.none')}</p>}
              >
                {groups.map((group) => (
                  <MenuSection key={group.id} id={group.id}>
                    <Header className="palette-group">{group.title}</Header>
                    {group.items.map((item) => (
                      <MenuItem key={item.id} id={keyOf(group, item.id)} textValue={item.name} className="menu-item">
                        <item.icon aria-hidden />
                        <span className="menu-text">
                          <Text slot="label" className="truncate">
                            {item.name}
                          </Text>
                        </span>
                        {item.hint && (
                          <Text slot="description" className="palette-hint">
                            {item.hint}
                          </Text>
                        )}
                      </MenuItem>
                    ))}
                  </MenuSection>
                ))}
              </Menu>
            </section>
          </Autocomplete>
          <p className="palette-help">{t('palette.help')}</p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

const keyOf = (group: PaletteGroup, id: string): string => `${group.id}:${id}`;

type PaletteItem = { id: string; name: string; hint?: string | undefined; icon: LucideIcon; run: () => void };
type PaletteGroup = { id: string; title: string; items: PaletteItem[] };

const MOST = 7;
/** Contents are searched on the server, once typing has paused for this long. */
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
const usePaletteItems = (me: Me, typed: string): PaletteGroup[] => {
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
    ...settingsPlaces
      .filter(({ needs }) => may(me, needs))
      .map(({ path, title }) => ({
        id: path,
        name: t(title),
        hint: t('nav.settings'),
        icon: ArrowRight,
        run: goTo(path),
      })),
  ];
  const actions: PaletteItem[] = me.can_write
    ? [
        {
          id: 'connect',
          name: t('palette.connect'),
          icon: Plus,
          run: () => void navigate({ to: '/screens', search: { connect: true } }),
        },
        {
          id: 'playlist',
          name: t('palette.newPlaylist'),
          icon: Plus,
          run: () => void navigate({ to: '/playlists', search: { new: true } }),
        },
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
      title: t('nav.screens'),
      items: best(
        screens.map((s) => ({
          id: s.id,
          name: s.name,
          icon: Monitor,
          run: () => void navigate({ to: '/screens/$screenId', params: { screenId: s.id } }),
        })),
      ),
    },
    {
      id: 'playlists',
      title: t('nav.playlists'),
      items: best(
        playlists.map((p) => ({
          id: p.id,
          name: p.name,
          icon: Clapperboard,
          run: () => void navigate({ to: '/playlists/$playlistId', params: { playlistId: p.id } }),
        })),
      ),
    },
    {
      id: 'contents',
      title: t('palette.contents'),
      items: isEmpty
        ? []
        : contents.slice(0, MOST).map((c) => ({
            id: c.id,
            name: c.filename,
            icon: Image,
            run: () => void navigate({ to: '/content', search: { show: c.id } }),
          })),
    },
    { id: 'workspaces', title: t('nav.workspaces'), items: best(workspaces) },
  ];
  const doing = [
    { id: 'places', title: t('palette.places'), items: best(places, isEmpty ? places.length : MOST) },
    { id: 'actions', title: t('palette.actions'), items: best(actions) },
  ];
  // Whoever types nothing looks for a place; whoever types a name mostly means a thing.
  return (isEmpty ? [...doing, ...groups.slice(0, 1)] : [...groups, ...doing]).filter(
    (group) => group.items.length > 0,
  );
};
