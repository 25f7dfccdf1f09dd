/** Every address of the window. Pages are loaded when they are first gone to. */
import { createHashHistory, createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import { configQuery } from '../data/me.ts';
import { queryClient } from '../data/queryClient.ts';
import { session } from '../data/session.ts';
import { NotFoundPage, RouteFailure, RoutePending } from './RouteStates.tsx';
import { Shell } from './Shell.tsx';

const root = createRootRoute({ component: Outlet });

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const flag = (value: unknown): true | undefined => (value === 1 || value === '1' || value === true ? true : undefined);
/** Search members that are absent stay out of the address. */
const present = <T extends Record<string, unknown>>(search: T) =>
  Object.fromEntries(Object.entries(search).filter(([, v]) => v !== undefined)) as { [K in keyof T]?: NonNullable<T[K]> };

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>) => present({ next: text(search['next']), verified: flag(search['verified']), verify_error: flag(search['verify_error']) }),
  beforeLoad: async ({ search }) => {
    if (session.token() !== null) throw redirect({ to: search.next ?? '/screens' });
    if ((await queryClient.ensureQueryData(configQuery)).needsSetup) throw redirect({ to: '/set-up' });
  },
  component: lazyRouteComponent(() => import('../places/sign-in/SignInPage.tsx'), 'SignInPage'),
});

const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  beforeLoad: async () => {
    if (session.token() !== null) throw redirect({ to: '/screens' });
    if ((await queryClient.ensureQueryData(configQuery)).needsSetup) throw redirect({ to: '/set-up' });
  },
  component: lazyRouteComponent(() => import('../places/sign-in/RegisterPage.tsx'), 'RegisterPage'),
});

const setUp = createRoute({
  getParentRoute: () => root,
  path: '/set-up',
  beforeLoad: async () => {
    // Asked afresh: an open page must not offer to own a server that somebody else has set up since.
    if (session.token() === null && !(await queryClient.fetchQuery({ ...configQuery, staleTime: 0 })).needsSetup) throw redirect({ to: '/sign-in' });
  },
  component: lazyRouteComponent(() => import('../places/set-up/SetUpPage.tsx'), 'SetUpPage'),
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
  validateSearch: (search: Record<string, unknown>) => present({ q: text(search['q']) }),
  component: lazyRouteComponent(() => import('../places/screens/ScreensPage.tsx'), 'ScreensPage'),
});
const screen = createRoute({
  getParentRoute: () => shell,
  path: '/screens/$screenId',
  component: lazyRouteComponent(() => import('../places/screens/ScreenPage.tsx'), 'ScreenPage'),
});
const content = createRoute({
  getParentRoute: () => shell,
  path: '/content',
  validateSearch: (search: Record<string, unknown>) =>
    present({ q: text(search['q']), type: text(search['type']), sort: text(search['sort']), show: text(search['show']), folder: text(search['folder']) }),
  component: lazyRouteComponent(() => import('../places/content/ContentPage.tsx'), 'ContentPage'),
});
const playlists = createRoute({
  getParentRoute: () => shell,
  path: '/playlists',
  component: lazyRouteComponent(() => import('../places/playlists/PlaylistsPage.tsx'), 'PlaylistsPage'),
});
const playlist = createRoute({
  getParentRoute: () => shell,
  path: '/playlists/$playlistId',
  component: lazyRouteComponent(() => import('../places/playlists/PlaylistPage.tsx'), 'PlaylistPage'),
});
const account = createRoute({ getParentRoute: () => shell, path: '/account', component: lazyRouteComponent(() => import('../places/account/AccountPage.tsx'), 'AccountPage') });

const nowhere = createRoute({ getParentRoute: () => shell, path: '$', component: NotFoundPage });

export const router = createRouter({
  routeTree: root.addChildren([signIn, register, setUp, shell.addChildren([home, screens, screen, content, playlists, playlist, account, nowhere])]),
  history: createHashHistory(),
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
