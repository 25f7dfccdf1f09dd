/** Every address of the window. Pages are loaded when they are first gone to. */
import { createHashHistory, createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet, parseSearchWith, redirect, stringifySearchWith } from '@tanstack/react-router';
import { configQuery, meQuery } from '../data/me.ts';
import { queryClient } from '../data/queryClient.ts';
import { session } from '../data/session.ts';
import { withTexts } from '../i18n/i18n.ts';
import { NotFoundPage, RouteFailure, RoutePending } from './RouteStates.tsx';
import { Shell } from './Shell.tsx';

const root = createRootRoute({ component: Outlet });

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const flag = (value: unknown): true | undefined => (value === 1 || value === '1' || value === true ? true : undefined);
/** A code of digits only is text as well. */
const code = (value: unknown): string | undefined => text(typeof value === 'number' ? String(value) : value);
/** Only what means the same when written again: a pairing code like 2E3456 is no number. */
const searchValue = (raw: string): unknown => {
  const value: unknown = JSON.parse(raw);
  if (typeof value === 'number' && String(value) !== raw) throw new SyntaxError('not a number as we write it');
  return value;
};
/** Search members that are absent stay out of the address. */
const present = <T extends Record<string, unknown>>(search: T) =>
  Object.fromEntries(Object.entries(search).filter(([, v]) => v !== undefined)) as { [K in keyof T]?: NonNullable<T[K]> };

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>) =>
    present({ next: text(search['next']), verified: flag(search['verified']), verify_error: flag(search['verify_error']), change_first: flag(search['change_first']) }),
  beforeLoad: async ({ search }) => {
    if (session.token() !== null) throw redirect({ to: search.next ?? '/screens' });
    if ((await queryClient.ensureQueryData(configQuery)).needsSetup) throw redirect({ to: '/set-up' });
  },
  component: lazyRouteComponent(() => withTexts(() => import('../places/sign-in/SignInPage.tsx')), 'SignInPage'),
});

const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  validateSearch: (search: Record<string, unknown>) => present({ next: text(search['next']) }),
  beforeLoad: async ({ search }) => {
    if (session.token() !== null) throw redirect({ to: search.next ?? '/screens' });
    if ((await queryClient.ensureQueryData(configQuery)).needsSetup) throw redirect({ to: '/set-up' });
  },
  component: lazyRouteComponent(() => withTexts(() => import('../places/sign-in/RegisterPage.tsx')), 'RegisterPage'),
});

const setUp = createRoute({
  getParentRoute: () => root,
  path: '/set-up',
  beforeLoad: async () => {
    // Asked afresh: an open page must not offer to own a server that somebody else has set up since.
    if (session.token() === null && !(await queryClient.fetchQuery({ ...configQuery, staleTime: 0 })).needsSetup) throw redirect({ to: '/sign-in' });
  },
  component: lazyRouteComponent(() => withTexts(() => import('../places/set-up/SetUpPage.tsx')), 'SetUpPage'),
});

const invite = createRoute({
  getParentRoute: () => root,
  path: '/invite/$inviteId',
  component: lazyRouteComponent(() => withTexts(() => import('../places/invite/InvitePage.tsx')), 'InvitePage'),
});

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: ({ location }) => {
    if (session.token() === null)
      throw redirect({ to: '/sign-in', search: session.left() || location.href === '/' || location.href === '/screens' ? {} : { next: location.href } });
  },
  component: Shell,
});

const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/screens' });
  },
});
const screens = createRoute({
  getParentRoute: () => shell,
  path: '/screens',
  // claim: the code in the QR of a waiting screen; connect: the dialog in which one types it.
  validateSearch: (search: Record<string, unknown>) =>
    present({ q: text(search['q']), state: text(search['state']), group: text(search['group']), claim: code(search['claim']), connect: flag(search['connect']) }),
  component: lazyRouteComponent(() => import('../places/screens/ScreensPage.tsx'), 'ScreensPage'),
});
const screen = createRoute({
  getParentRoute: () => shell,
  path: '/screens/$screenId',
  validateSearch: (search: Record<string, unknown>) => present({ at: text(search['at']) }),
  component: lazyRouteComponent(() => withTexts(() => import('../places/screens/ScreenPage.tsx')), 'ScreenPage'),
});
const content = createRoute({
  getParentRoute: () => shell,
  path: '/content',
  validateSearch: (search: Record<string, unknown>) =>
    present({
      q: text(search['q']),
      type: text(search['type']),
      sort: text(search['sort']),
      show: text(search['show']),
      folder: text(search['folder']),
      label: text(search['label']),
      view: text(search['view']),
    }),
  component: lazyRouteComponent(() => withTexts(() => import('../places/content/ContentPage.tsx')), 'ContentPage'),
});
const playlists = createRoute({
  getParentRoute: () => shell,
  path: '/playlists',
  validateSearch: (search: Record<string, unknown>) => present({ q: text(search['q']), new: flag(search['new']) }),
  component: lazyRouteComponent(() => withTexts(() => import('../places/playlists/PlaylistsPage.tsx')), 'PlaylistsPage'),
});
const playlist = createRoute({
  getParentRoute: () => shell,
  path: '/playlists/$playlistId',
  component: lazyRouteComponent(() => withTexts(() => import('../places/playlists/PlaylistPage.tsx')), 'PlaylistPage'),
});
const widgets = createRoute({
  getParentRoute: () => shell,
  path: '/widgets',
  component: lazyRouteComponent(() => withTexts(() => import('../places/widgets/WidgetsPage.tsx')), 'WidgetsPage'),
});
const widget = createRoute({
  getParentRoute: () => shell,
  path: '/widgets/$widgetId',
  component: lazyRouteComponent(() => withTexts(() => import('../places/widgets/WidgetPage.tsx')), 'WidgetPage'),
});
const kiosk = createRoute({
  getParentRoute: () => shell,
  path: '/kiosk',
  component: lazyRouteComponent(() => withTexts(() => import('../places/kiosk/KioskPagesPage.tsx')), 'KioskPagesPage'),
});
const kioskPage = createRoute({
  getParentRoute: () => shell,
  path: '/kiosk/$kioskId',
  component: lazyRouteComponent(() => withTexts(() => import('../places/kiosk/KioskPageEditor.tsx')), 'KioskPageEditor'),
});
const overlay = createRoute({
  getParentRoute: () => shell,
  path: '/overlay',
  validateSearch: (search: Record<string, unknown>) => present({ screen: text(search['screen']) }),
  component: lazyRouteComponent(() => withTexts(() => import('../places/overlay/OverlayPage.tsx')), 'OverlayPage'),
});
const account = createRoute({
  getParentRoute: () => shell,
  path: '/account',
  component: lazyRouteComponent(() => withTexts(() => import('../places/account/AccountPage.tsx')), 'AccountPage'),
});

const activity = createRoute({
  getParentRoute: () => shell,
  path: '/activity',
  validateSearch: (search: Record<string, unknown>) => present({ screen: text(search['screen']) }),
  component: lazyRouteComponent(() => withTexts(() => import('../places/activity/ActivityPage.tsx')), 'ActivityPage'),
});
const server = createRoute({
  getParentRoute: () => shell,
  path: '/settings/server',
  validateSearch: (search: Record<string, unknown>) => present({ part: text(search['part']) }),
  component: lazyRouteComponent(() => withTexts(() => import('../places/server/ServerPage.tsx')), 'ServerPage'),
});
const updates = createRoute({
  getParentRoute: () => shell,
  path: '/settings/updates',
  component: lazyRouteComponent(() => withTexts(() => import('../places/updates/UpdatesPage.tsx')), 'UpdatesPage'),
});
const about = createRoute({
  getParentRoute: () => shell,
  path: '/settings/about',
  component: lazyRouteComponent(() => withTexts(() => import('../places/about/AboutPage.tsx')), 'AboutPage'),
});
const reports = createRoute({
  getParentRoute: () => shell,
  path: '/reports',
  validateSearch: (search: Record<string, unknown>) =>
    present({
      range: text(search['range']),
      from: text(search['from']),
      to: text(search['to']),
      screen: text(search['screen']),
      content: text(search['content']),
      view: text(search['view']),
      by: text(search['by']),
    }),
  component: lazyRouteComponent(() => withTexts(() => import('../places/reports/ReportsPage.tsx')), 'ReportsPage'),
});

const schedule = createRoute({
  getParentRoute: () => shell,
  path: '/schedule',
  validateSearch: (search: Record<string, unknown>) => present({ for: text(search['for']), day: text(search['day']), show: text(search['show']) }),
  component: lazyRouteComponent(() => withTexts(() => import('../places/schedule/SchedulePage.tsx')), 'SchedulePage'),
});

const settings = createRoute({
  getParentRoute: () => shell,
  path: '/settings',
  beforeLoad: async () => {
    const me = await queryClient.ensureQueryData(meQuery);
    throw redirect({ to: me.can_admin ? '/settings/people' : '/settings/workspaces', replace: true });
  },
});
const people = createRoute({
  getParentRoute: () => shell,
  path: '/settings/people',
  component: lazyRouteComponent(() => withTexts(() => import('../places/people/PeoplePage.tsx')), 'PeoplePage'),
});
const workspaces = createRoute({
  getParentRoute: () => shell,
  path: '/settings/workspaces',
  component: lazyRouteComponent(() => withTexts(() => import('../places/workspaces/WorkspacesPage.tsx')), 'WorkspacesPage'),
});
const tokens = createRoute({
  getParentRoute: () => shell,
  path: '/settings/tokens',
  component: lazyRouteComponent(() => withTexts(() => import('../places/tokens/TokensPage.tsx')), 'TokensPage'),
});

const layouts = createRoute({
  getParentRoute: () => shell,
  path: '/layouts',
  component: lazyRouteComponent(() => withTexts(() => import('../places/layouts/LayoutsPage.tsx')), 'LayoutsPage'),
});
const layout = createRoute({
  getParentRoute: () => shell,
  path: '/layouts/$layoutId',
  component: lazyRouteComponent(() => withTexts(() => import('../places/layouts/LayoutPage.tsx')), 'LayoutPage'),
});

const groups = createRoute({
  getParentRoute: () => shell,
  path: '/groups',
  component: lazyRouteComponent(() => withTexts(() => import('../places/groups/GroupsPage.tsx')), 'GroupsPage'),
});
const group = createRoute({
  getParentRoute: () => shell,
  path: '/groups/$groupId',
  component: lazyRouteComponent(() => withTexts(() => import('../places/groups/GroupPage.tsx')), 'GroupPage'),
});

const walls = createRoute({
  getParentRoute: () => shell,
  path: '/walls',
  component: lazyRouteComponent(() => withTexts(() => import('../places/walls/WallsPage.tsx')), 'WallsPage'),
});
const wall = createRoute({
  getParentRoute: () => shell,
  path: '/walls/$wallId',
  component: lazyRouteComponent(() => withTexts(() => import('../places/walls/WallPage.tsx')), 'WallPage'),
});

const nowhere = createRoute({ getParentRoute: () => shell, path: '$', component: NotFoundPage });

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    register,
    setUp,
    invite,
    shell.addChildren([
      home,
      screens,
      screen,
      content,
      playlists,
      playlist,
      widgets,
      widget,
      kiosk,
      kioskPage,
      overlay,
      schedule,
      layouts,
      layout,
      groups,
      group,
      walls,
      wall,
      reports,
      activity,
      settings,
      people,
      workspaces,
      tokens,
      server,
      updates,
      about,
      account,
      nowhere,
    ]),
  ]),
  history: createHashHistory(),
  parseSearch: parseSearchWith(searchValue),
  stringifySearch: stringifySearchWith(JSON.stringify, searchValue),
  defaultNotFoundComponent: NotFoundPage,
  defaultErrorComponent: RouteFailure,
  defaultPendingComponent: RoutePending,
  defaultPendingMs: 300,
  defaultPendingMinMs: 0,
  defaultPreload: 'intent',
  defaultStructuralSharing: true,
  scrollRestoration: true,
  scrollToTopSelectors: ['#pane'],
  // The window's title is of the page; what is typed into a search field is no place to go back to.
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
