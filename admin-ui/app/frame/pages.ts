/**
 * Every page of the admin window: address, title, component and access. The router, the navigation, the command palette
 * and the document titles use these tables. The code of a page is loaded on first use.
 */
import { lazyRouteComponent, type RouteComponent, redirect } from '@tanstack/react-router';
import type { ParseKeys } from 'i18next';
import {
  Bell,
  Blocks,
  CalendarDays,
  ChartColumn,
  ChartNoAxesCombined,
  Clapperboard,
  Grid2x2,
  Group,
  History,
  Image,
  LayoutDashboard,
  type LucideIcon,
  Megaphone,
  Monitor,
  Pointer,
  Send,
  Settings,
  Store,
} from 'lucide-react';
import type { Act } from '../../../shared/contract/acts.ts';
import type { Me } from '../../../shared/contract/people/auth.ts';
import { refusalOfKind } from '../../../shared/contract/screens/visitors.ts';
import { queryClient } from '../../api/requests/queryClient.ts';
import { configQuery, meQuery } from '../../api/session/me.ts';
import { session } from '../../api/session/session.ts';
import { openedStore } from '../../api/session/storeWindow.ts';
import { MAX_SEARCH } from '../../components/fields/maxSearch.ts';
import { withTexts } from '../../i18n/i18n.ts';
import type { TopicId } from '../../pages/help/topics.ts';

export interface Place {
  readonly path: string;
  readonly title: ParseKeys;
  /** The component of the page; absent if the address only redirects. */
  readonly page?: RouteComponent;
  /** The handbook topic to which the page links. */
  readonly help?: TopicId;
  /**
   * Parsers for the search parameters of the address. An invalid value becomes undefined and is removed from the
   * address.
   */
  readonly search?: Readonly<Record<string, (value: unknown) => unknown>>;
  /** Throws a redirect if the address leads to another page. `next` is the page that the user wanted. */
  readonly enter?: (search: { next?: string; part?: string }) => Promise<void>;
}
export const settingsGroups = ['workspace', 'server', 'own'] as const;
interface SettingsPlace extends Place {
  /** Group of the page in the navigation of the settings pages. */
  readonly group: (typeof settingsGroups)[number];
  /** Label of the tab, if it differs from the title. */
  readonly tab?: ParseKeys;
  readonly needs: Needs;
  /**
   * Kind of record that the page is about. Visitors from headquarters do not see pages about kinds that they may not
   * access.
   */
  readonly about?: Act['on'];
}

/** Users who may see a page: everybody, administrators of the workspace, or administrators of the server. */
type Needs = 'anybody' | 'admin' | 'server';
export const may = (me: Me, { needs, about }: Pick<SettingsPlace, 'needs' | 'about'>): boolean => {
  if (refusalOf(about) !== undefined) return false;
  return needs === 'anybody' || (needs === 'admin' ? me.can_admin : me.is_platform_admin);
};

/** Returns why visitors from headquarters may not use a page, as a sentence; undefined if they may. */
export const refusalOf = (about: SettingsPlace['about']): string | undefined =>
  openedStore === undefined || about === undefined ? undefined : refusalOfKind(about);

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const flag = (value: unknown): true | undefined => (value === 1 || value === '1' || value === true ? true : undefined);
/** Reads a code as text, even if the code consists of digits. */
const code = (value: unknown): string | undefined => text(typeof value === 'number' ? String(value) : value);

/** Reads a search text, even if the text looks like a number. Cuts it to the maximum length of a search field. */
const sought = (value: unknown): string | undefined => code(value)?.slice(0, MAX_SEARCH);

/** Returns a page component that loads together with the translations that the first load leaves out. */
export const lazy = <T extends Record<string, unknown>>(load: () => Promise<T>, name: keyof T & string) =>
  lazyRouteComponent(() => withTexts(load), name) as RouteComponent;

/** Redirects pages for headquarters to the screens page on a server that is not headquarters. */
const enterHeadquarters = async () => {
  const me = await queryClient.ensureQueryData(meQuery);
  if (!me.headquarters) throw redirect({ to: '/screens', replace: true });
};

/** The pages in the main navigation, in their order. */
export const placeGroups = [
  {
    title: null,
    places: [
      {
        path: '/attention',
        title: 'nav.attention',
        icon: Bell,
        help: 'attention',
        page: lazy(() => import('../../pages/attention/AttentionPage.tsx'), 'AttentionPage'),
        search: { state: text, whose: text },
      },
    ],
  },
  {
    title: null,
    /** Pages that are in the bottom bar on phones. All other pages are behind "More". */
    isBar: true,
    places: [
      {
        path: '/screens',
        title: 'nav.screens',
        icon: Monitor,
        help: 'screens',
        // Needs no `lazy` here, because the translations of the start page are part of the first load.
        page: lazyRouteComponent(
          () => import('../../pages/screens/list/ScreensPage.tsx'),
          'ScreensPage',
        ) as RouteComponent,
        // Search parameters. `claim`: the code from the QR code of a waiting screen. `connect`: opens the dialog for
        // typing the code.
        search: {
          q: sought,
          state: text,
          group: text,
          tag: text,
          view: text,
          sort: text,
          columns: text,
          claim: code,
          connect: flag,
        },
      },
      {
        path: '/content',
        title: 'nav.content',
        icon: Image,
        help: 'content',
        page: lazy(() => import('../../pages/content/ContentPage.tsx'), 'ContentPage'),
        search: {
          q: sought,
          type: text,
          sort: text,
          show: text,
          folder: text,
          label: text,
          view: text,
          validity: text,
          owner: text,
        },
      },
      {
        path: '/playlists',
        title: 'nav.playlists',
        icon: Clapperboard,
        help: 'playlists',
        page: lazy(() => import('../../pages/playlists/PlaylistsPage.tsx'), 'PlaylistsPage'),
        search: { q: sought, new: flag, owner: text },
      },
    ],
  },
  {
    title: 'nav.chain',
    only: 'headquarters',
    places: [
      {
        path: '/stores',
        title: 'nav.stores',
        icon: Store,
        help: 'chain',
        page: lazy(() => import('../../pages/stores/StoresPage.tsx'), 'StoresPage'),
        enter: enterHeadquarters,
        search: {
          q: sought,
          region: text,
          tag: text,
          line: text,
          trouble: text,
          order: text,
          page: code,
          place: text,
          view: text,
        },
      },
      {
        path: '/campaigns',
        title: 'nav.campaigns',
        icon: Send,
        help: 'campaigns',
        page: lazy(() => import('../../pages/campaigns/CampaignsPage.tsx'), 'CampaignsPage'),
        enter: enterHeadquarters,
        search: { q: sought, state: text, page: code },
      },
      {
        path: '/plays',
        title: 'nav.chainPlays',
        icon: ChartNoAxesCombined,
        help: 'chain',
        page: lazy(() => import('../../pages/chain-plays/ChainPlaysPage.tsx'), 'ChainPlaysPage'),
        enter: enterHeadquarters,
        search: {
          range: text,
          from: text,
          to: text,
          region: text,
          tag: text,
          store: text,
          campaign: text,
          content: text,
          view: text,
          by: text,
        },
      },
    ],
  },
  {
    title: 'nav.plan',
    places: [
      {
        path: '/schedule',
        title: 'nav.schedule',
        icon: CalendarDays,
        help: 'plans',
        page: lazy(() => import('../../pages/schedule/SchedulePage.tsx'), 'SchedulePage'),
        search: { for: text, day: text, show: text, view: text, planned: code },
      },
      {
        path: '/layouts',
        title: 'nav.layouts',
        icon: LayoutDashboard,
        help: 'layouts',
        page: lazy(() => import('../../pages/layouts/LayoutsPage.tsx'), 'LayoutsPage'),
        search: { q: sought, owner: text },
      },
      {
        path: '/groups',
        title: 'nav.groups',
        icon: Group,
        help: 'groups',
        page: lazy(() => import('../../pages/groups/GroupsPage.tsx'), 'GroupsPage'),
        search: { q: sought },
      },
      {
        path: '/walls',
        title: 'nav.walls',
        icon: Grid2x2,
        help: 'walls',
        page: lazy(() => import('../../pages/walls/WallsPage.tsx'), 'WallsPage'),
        search: { q: sought },
      },
    ],
  },
  {
    title: 'nav.make',
    places: [
      {
        path: '/widgets',
        title: 'nav.widgets',
        icon: Blocks,
        help: 'widgets',
        page: lazy(() => import('../../pages/widgets/WidgetsPage.tsx'), 'WidgetsPage'),
        search: { q: sought, owner: text },
      },
      {
        path: '/kiosk',
        title: 'nav.kiosk',
        icon: Pointer,
        help: 'kiosk',
        page: lazy(() => import('../../pages/kiosk/KioskPagesPage.tsx'), 'KioskPagesPage'),
        search: { q: sought },
      },
      {
        path: '/overlay',
        title: 'nav.overlay',
        icon: Megaphone,
        help: 'messages',
        page: lazy(() => import('../../pages/overlay/OverlayPage.tsx'), 'OverlayPage'),
      },
    ],
  },
  {
    title: 'nav.lookBack',
    places: [
      {
        path: '/reports',
        title: 'nav.reports',
        icon: ChartColumn,
        help: 'reports',
        page: lazy(() => import('../../pages/reports/ReportsPage.tsx'), 'ReportsPage'),
        search: { range: text, from: text, to: text, screen: text, only: text, view: text, by: text },
      },
      {
        path: '/activity',
        title: 'nav.activity',
        icon: History,
        help: 'people',
        page: lazy(() => import('../../pages/activity/ActivityPage.tsx'), 'ActivityPage'),
        search: { screen: text },
      },
    ],
  },
  {
    title: 'nav.manage',
    places: [
      {
        path: '/settings',
        title: 'nav.settings',
        icon: Settings,
        enter: async () => {
          const me = await queryClient.ensureQueryData(meQuery);
          const isForPeople = me.can_admin && refusalOf('members') === undefined;
          throw redirect({ to: isForPeople ? '/settings/people' : '/settings/workspaces', replace: true });
        },
      },
    ],
  },
] as const satisfies readonly {
  title: ParseKeys | null;
  /** Kind of server that shows this group; absent if all servers show it. */
  only?: 'headquarters';
  isBar?: true;
  places: readonly (Place & { readonly icon: LucideIcon })[];
}[];
export type NavigationPlace = (typeof placeGroups)[number]['places'][number];
/** Returns the navigation groups of this server. Groups for headquarters exist only at headquarters. */
export const groupsFor = ({ headquarters }: Pick<Me, 'headquarters'>) =>
  placeGroups.filter((group) => !('only' in group) || headquarters);
/** Returns whether a group is in the bottom bar of a phone. */
export const isBar = (group: (typeof placeGroups)[number]): boolean => 'isBar' in group;
export const navigationPlaces = placeGroups.flatMap((group): readonly NavigationPlace[] => group.places);

/** The settings pages, in the order of their tabs. */
export const settingsPlaces = [
  {
    path: '/settings/people',
    group: 'workspace',
    title: 'people.title',
    needs: 'admin',
    about: 'members',
    help: 'people',
    page: lazy(() => import('../../pages/people/PeoplePage.tsx'), 'PeoplePage'),
  },
  {
    path: '/settings/workspaces',
    group: 'workspace',
    title: 'nav.workspaces',
    needs: 'anybody',
    help: 'people',
    page: lazy(() => import('../../pages/workspaces/WorkspacesPage.tsx'), 'WorkspacesPage'),
  },
  {
    path: '/settings/brand',
    group: 'workspace',
    title: 'brand.title',
    needs: 'admin',
    help: 'people',
    page: lazy(() => import('../../pages/brand/BrandPage.tsx'), 'BrandPage'),
  },
  {
    path: '/settings/tokens',
    group: 'workspace',
    title: 'tokens.title',
    needs: 'admin',
    about: 'tokens',
    help: 'tokens',
    page: lazy(() => import('../../pages/tokens/TokensPage.tsx'), 'TokensPage'),
  },
  {
    path: '/settings/headquarters',
    group: 'workspace',
    title: 'chain.title',
    needs: 'admin',
    about: 'chain',
    help: 'chain',
    page: lazy(() => import('../../pages/headquarters/HeadquartersPage.tsx'), 'HeadquartersPage'),
  },
  {
    path: '/bin',
    group: 'workspace',
    title: 'bin.title',
    needs: 'anybody',
    help: 'bin',
    page: lazy(() => import('../../pages/bin/BinPage.tsx'), 'BinPage'),
  },
  {
    path: '/settings/server',
    group: 'server',
    title: 'server.title',
    needs: 'server',
    help: 'server',
    page: lazy(() => import('../../pages/server/ServerPage.tsx'), 'ServerPage'),
    search: { part: text },
    // Redirects an older address of the backups page, since bookmarks may use it.
    enter: async ({ part }) => {
      if (part === 'backups') throw redirect({ to: '/settings/backups', replace: true });
    },
  },
  {
    path: '/settings/backups',
    group: 'server',
    title: 'server.backupsTitle',
    needs: 'server',
    help: 'backups',
    page: lazy(() => import('../../pages/server/BackupsPage.tsx'), 'BackupsPage'),
  },
  {
    path: '/settings/updates',
    group: 'server',
    title: 'updates.title',
    needs: 'server',
    help: 'updates',
    page: lazy(() => import('../../pages/updates/UpdatesPage.tsx'), 'UpdatesPage'),
  },
  {
    path: '/account',
    group: 'own',
    title: 'nav.account',
    tab: 'settings.account',
    needs: 'anybody',
    about: 'accounts',
    help: 'people',
    page: lazy(() => import('../../pages/account/AccountPage.tsx'), 'AccountPage'),
  },
  {
    path: '/settings/help',
    group: 'own',
    title: 'help.title',
    tab: 'help.tab',
    needs: 'anybody',
    page: lazy(() => import('../../pages/help/HelpPage.tsx'), 'HelpPage'),
    search: { q: sought, topic: text },
  },
  {
    path: '/settings/about',
    group: 'own',
    title: 'about.title',
    tab: 'settings.about',
    needs: 'anybody',
    page: lazy(() => import('../../pages/about/AboutPage.tsx'), 'AboutPage'),
  },
] as const satisfies readonly SettingsPlace[];

/** Pages of a single record, which are reached from the list of its kind. */
export const recordPlaces = [
  {
    path: '/screens/$screenId',
    title: 'nav.screens',
    help: 'why',
    page: lazy(() => import('../../pages/screens/ScreenPage.tsx'), 'ScreenPage'),
    search: { at: text },
  },
  {
    path: '/schedule/headquarters',
    title: 'held.title',
    help: 'campaigns',
    page: lazy(() => import('../../pages/store-campaigns/StoreCampaignsPage.tsx'), 'StoreCampaignsPage'),
  },
  {
    path: '/stores/$storeId',
    title: 'nav.stores',
    help: 'chain',
    page: lazy(() => import('../../pages/stores/store/StorePage.tsx'), 'StorePage'),
    enter: enterHeadquarters,
  },
  {
    path: '/stores/orders',
    title: 'orders.title',
    help: 'chain',
    page: lazy(() => import('../../pages/stores/commands/RemoteCommandsPage.tsx'), 'RemoteCommandsPage'),
    enter: enterHeadquarters,
    search: { page: code },
  },
  {
    path: '/stores/orders/$orderId',
    title: 'orders.title',
    help: 'chain',
    page: lazy(() => import('../../pages/stores/commands/RemoteCommandPage.tsx'), 'RemoteCommandPage'),
    enter: enterHeadquarters,
    search: { state: text, page: code },
  },
  {
    path: '/campaigns/$campaignId',
    title: 'nav.campaigns',
    help: 'campaigns',
    page: lazy(() => import('../../pages/campaigns/CampaignPage.tsx'), 'CampaignPage'),
    enter: enterHeadquarters,
    search: { part: text, phase: text, q: sought, page: code },
  },
  {
    path: '/stores/software',
    title: 'software.title',
    help: 'software',
    page: lazy(() => import('../../pages/stores/software/SoftwarePage.tsx'), 'SoftwarePage'),
    enter: enterHeadquarters,
    search: { page: code },
  },
  {
    path: '/stores/software/$rolloutId',
    title: 'software.title',
    help: 'software',
    page: lazy(() => import('../../pages/stores/software/RolloutPage.tsx'), 'RolloutPage'),
    enter: enterHeadquarters,
    search: { state: text, page: code },
  },
  {
    path: '/content/new-design',
    title: 'templates.title',
    help: 'content',
    page: lazy(() => import('../../pages/templates/NewDesignPage.tsx'), 'NewDesignPage'),
    search: {
      q: sought,
      look: text,
      format: text,
      task: text,
      style: text,
      of: text,
      folder: text,
      playlist: text,
    },
  },
  {
    path: '/content/$contentId/design',
    title: 'designer.title',
    help: 'content',
    page: lazy(() => import('../../pages/designer/DesignerPage.tsx'), 'DesignerPage'),
  },
  {
    path: '/playlists/$playlistId',
    title: 'nav.playlists',
    help: 'playlists',
    page: lazy(() => import('../../pages/playlists/PlaylistPage.tsx'), 'PlaylistPage'),
  },
  {
    path: '/layouts/$layoutId',
    title: 'nav.layouts',
    help: 'layouts',
    page: lazy(() => import('../../pages/layouts/LayoutPage.tsx'), 'LayoutPage'),
  },
  {
    path: '/groups/$groupId',
    title: 'nav.groups',
    help: 'groups',
    page: lazy(() => import('../../pages/groups/GroupPage.tsx'), 'GroupPage'),
  },
  {
    path: '/walls/$wallId',
    title: 'nav.walls',
    help: 'walls',
    page: lazy(() => import('../../pages/walls/WallPage.tsx'), 'WallPage'),
  },
  {
    path: '/widgets/$widgetId',
    title: 'nav.widgets',
    help: 'widgets',
    page: lazy(() => import('../../pages/widgets/WidgetPage.tsx'), 'WidgetPage'),
  },
  {
    path: '/kiosk/$kioskId',
    title: 'nav.kiosk',
    help: 'kiosk',
    page: lazy(() => import('../../pages/kiosk/KioskPageEditor.tsx'), 'KioskPageEditor'),
  },
] as const satisfies readonly Place[];

/** Redirects signed-in users away from the sign-in pages. Opens the set-up page if the server has no owner yet. */
const enterDoor = async ({ next = '/' }: { next?: string }) => {
  if (session.token() !== null) throw redirect({ to: next });
  if ((await queryClient.ensureQueryData(configQuery)).needsSetup) throw redirect({ to: '/set-up' });
};

/** Pages before sign-in. */
export const doors = [
  {
    path: '/sign-in',
    title: 'signIn.title',
    enter: enterDoor,
    page: lazy(() => import('../../pages/sign-in/SignInPage.tsx'), 'SignInPage'),
    search: { next: text, verified: flag, verify_error: flag, change_first: flag },
  },
  {
    path: '/register',
    title: 'register.title',
    enter: enterDoor,
    page: lazy(() => import('../../pages/sign-in/RegisterPage.tsx'), 'RegisterPage'),
    search: { next: text },
  },
  {
    path: '/set-up',
    title: 'setUp.welcome',
    page: lazy(() => import('../../pages/set-up/SetUpPage.tsx'), 'SetUpPage'),
    enter: async () => {
      if (session.token() !== null) return;
      // Fetches the settings again, since another user may have set up the server meanwhile.
      const { needsSetup } = await queryClient.fetchQuery({ ...configQuery, staleTime: 0 });
      if (!needsSetup) throw redirect({ to: '/sign-in' });
    },
  },
  {
    path: '/new-password/$token',
    title: 'newPassword.title',
    page: lazy(() => import('../../pages/sign-in/NewPasswordPage.tsx'), 'NewPasswordPage'),
  },
  {
    path: '/invite/$inviteId',
    title: 'invite.title',
    page: lazy(() => import('../../pages/invite/InvitePage.tsx'), 'InvitePage'),
  },
] as const satisfies readonly Place[];
