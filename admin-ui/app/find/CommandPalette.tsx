import { Link, type NavigateOptions, useNavigate } from '@tanstack/react-router';
import {
  ArrowRight,
  BookOpen,
  Image,
  LayoutTemplate,
  type LucideIcon,
  Megaphone,
  Plus,
  Search,
  Upload,
} from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
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
import type { Me } from '../../../shared/contract/people/auth.ts';
import type { SearchHit } from '../../../shared/contract/server/search.ts';
import { composer } from '../../api/editing/composer.ts';
import { type Finding, useFound } from '../../api/requests/useFound.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { canShow } from '../../api/session/me.ts';
import { goToWorkspace } from '../../api/session/switchWorkspace.ts';
import { hitIcons, hitTitles, nameOfHit } from '../../domain/content/hits.tsx';
import { serverPageNames, serverPages } from '../../pages/server/server.parts.ts';
import { groupsFor, may, type NavigationPlace, refusalOf, settingsPlaces } from '../frame/pages.ts';
import { bestOf } from './palette.utils.ts';
import type { TypeAhead } from './typeAhead.ts';
import '../../components/controls/Dialog.css';
import '../../components/choices/Menu.css';
import './CommandPalette.css';

type CommandPaletteProps = {
  me: Me;
  /** Keys that were typed before the palette was loaded. */
  typedAhead: Pick<TypeAhead, 'end'>;
  onClose: () => void;
};

/**
 * Command palette: opens any page or record by a few typed letters. The search field keeps the focus; arrow keys
 * move through the results.
 */
export function CommandPalette({ me, typedAhead, onClose }: CommandPaletteProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const { groups, state, isCurrent } = usePaletteItems(me, typed);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    // Moves the focus into the field, then takes over the keys that were typed before. Both happen in the same turn of
    // the event loop, so no key is lost.
    field.current?.focus();
    const before = typedAhead.end();
    if (before) setTyped(before);
  }, [typedAhead]);
  const first = groups[0]?.items[0]?.id;
  // Enter chooses the first result, even if the result arrives after the last letter.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (!isCurrent || typed.trim() === '') return;
    // Waits for a frame, because the menu renders its items only after its first render.
    const frame = requestAnimationFrame(() => {
      if (!list.current?.querySelector('[data-focused]'))
        field.current?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
    });
    return () => cancelAnimationFrame(frame);
  }, [isCurrent, typed, first]);
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
                <Input ref={field} placeholder={t('palette.placeholder')} />
              </Group>
            </SearchField>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
            <section ref={list} className="palette-scroll" tabIndex={0} aria-label={t('palette.found')}>
              <Menu
                className="menu palette-list"
                aria-label={t('palette.title')}
                onAction={(key) => run(String(key))}
                renderEmptyState={() => <p className="palette-none">{t(NONE[state])}</p>}
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
          <p className="palette-help">
            {typed.trim() === '' ? (
              t('palette.help')
            ) : (
              <Link to="/settings/help" search={{ q: typed.trim() }} onClick={onClose} className="palette-handbook">
                <BookOpen aria-hidden />
                <span className="truncate">{t('palette.inHandbook', { words: typed.trim() })}</span>
              </Link>
            )}
          </p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

const NONE = { looking: 'find.looking', failed: 'find.failed', found: 'palette.none' } as const;

const keyOf = (group: PaletteGroup, id: string): string => `${group.id}:${id}`;

type PaletteItem = { id: string; name: string; hint?: string | undefined; icon: LucideIcon; run: () => void };
type PaletteGroup = { id: string; title: string; items: PaletteItem[] };

/** Maximum number of results per kind. Typing more letters finds further results. */
const MOST = 4;
/** Maximum number of results per kind if there are many kinds: rendering dozens of rows would delay each key. */
const [MANY_KINDS, MOST_OF_MANY] = [4, 2];
/** Kinds of results in the order of display. */
const KINDS = [
  'device',
  'group',
  'playlist',
  'content',
  'folder',
  'label',
  'widget',
  'wall',
  'layout',
  'kiosk',
  'plan',
  'person',
] as const;

/** Returns everything that matches the typed text, in groups. */
const usePaletteItems = (me: Me, typed: string): { groups: PaletteGroup[] } & Pick<Finding, 'state' | 'isCurrent'> => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const tell = useProblem();
  const kinds = KINDS.filter((kind) => kind !== 'person' || (me.can_admin && refusalOf('members') === undefined));
  const found = useFound(kinds, typed, { limit: MOST });

  const goTo = (to: string) => () => void navigate({ to });
  const offered = groupsFor(me).flatMap((group): readonly NavigationPlace[] => group.places);
  const places: PaletteItem[] = [
    ...offered.map(({ path, title, icon }) => ({ id: path, name: t(title), icon, run: goTo(path) })),
    ...settingsPlaces
      .filter((place) => may(me, place))
      .map(({ path, title }) => ({
        id: path,
        name: t(title),
        hint: t('nav.settings'),
        icon: ArrowRight,
        run: goTo(path),
      })),
    ...serverPageNames
      .filter(() => me.is_platform_admin)
      .map((page) => ({
        id: `server/${page}`,
        name: t(`server.pages.${page}`),
        hint: t('server.title'),
        icon: ArrowRight,
        run: () => void navigate({ to: '/settings/server', search: { part: serverPages[page][0] } }),
      })),
  ];
  const makes = me.can_write && me.rights.duty === 'all';
  const actions = [
    makes &&
      me.rights.group_ids === null && {
        id: 'connect',
        name: t('palette.connect'),
        icon: Plus,
        run: () => void navigate({ to: '/screens', search: { connect: true } }),
      },
    canShow(me) && { id: 'message', name: t('palette.message'), icon: Megaphone, run: () => composer.open() },
    makes && {
      id: 'playlist',
      name: t('palette.newPlaylist'),
      icon: Plus,
      run: () => void navigate({ to: '/playlists', search: { new: true } }),
    },
    me.can_write && {
      id: 'design',
      name: t('templates.new'),
      icon: LayoutTemplate,
      run: goTo('/content/new-design'),
    },
    me.can_write && { id: 'upload', name: t('palette.upload'), icon: Upload, run: goTo('/content') },
  ].filter((action) => action !== false);
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
  const each = found.groups.length > MANY_KINDS ? MOST_OF_MANY : MOST;
  const things: PaletteGroup[] = found.groups.map(({ kind, hits }) => ({
    id: kind,
    title: t(hitTitles[kind]),
    items: hits.slice(0, each).map((hit) => ({
      id: hit.id,
      name: nameOfHit(hit, t),
      hint: hit.hint || (hit.screens === null ? undefined : t('common.screens', { count: hit.screens })),
      icon: hit.kind === 'content' ? Image : hitIcons[hit.kind],
      run: () => void navigate(addressOf(hit)),
    })),
  }));
  const doing = [
    { id: 'places', title: t('palette.places'), items: best(places, isEmpty ? offered.length : MOST) },
    { id: 'actions', title: t('palette.actions'), items: best(actions) },
  ];
  const spaces = { id: 'workspaces', title: t('nav.workspaces'), items: best(workspaces) };
  // Order of the groups: without text, users mostly want a page; with text, mostly a record.
  const groups = isEmpty ? [...doing, ...things.slice(0, 1)] : [...things, spaces, ...doing];
  return { groups: groups.filter((group) => group.items.length > 0), state: found.state, isCurrent: found.isCurrent };
};

/** Returns the address of the page that shows the record. */
const addressOf = ({ kind, id }: SearchHit): NavigateOptions => {
  switch (kind) {
    case 'device':
      return { to: '/screens/$screenId', params: { screenId: id } };
    case 'group':
      return { to: '/groups/$groupId', params: { groupId: id } };
    case 'playlist':
      return { to: '/playlists/$playlistId', params: { playlistId: id } };
    case 'content':
      return { to: '/content', search: { show: id } };
    case 'folder':
      return { to: '/content', search: { folder: id } };
    case 'label':
      return { to: '/content', search: { label: id } };
    case 'widget':
      return { to: '/widgets/$widgetId', params: { widgetId: id } };
    case 'wall':
      return { to: '/walls/$wallId', params: { wallId: id } };
    case 'layout':
      return { to: '/layouts/$layoutId', params: { layoutId: id } };
    case 'kiosk':
      return { to: '/kiosk/$kioskId', params: { kioskId: id } };
    case 'plan':
      return { to: '/schedule', search: { show: id } };
    case 'person':
      return { to: '/settings/people' };
    case 'tag':
      return { to: '/screens', search: { q: id } };
  }
};
