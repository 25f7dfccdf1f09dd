/** Makes a route for every page in the tables (pages.ts). */
import { useQuery } from '@tanstack/react-query';
import {
  type AnyRoute,
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  parseSearchWith,
  redirect,
  stringifySearchWith,
  useMatches,
} from '@tanstack/react-router';
import type { ParseKeys } from 'i18next';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useRecordName } from '../api/editing/pageTitle.ts';
import { queryClient } from '../api/requests/queryClient.ts';
import { meQuery } from '../api/session/me.ts';
import { openedStoreQuery } from '../api/session/openedStore.ts';
import { session } from '../api/session/session.ts';
import { openedStore } from '../api/session/storeWindow.ts';
import type { TopicId } from '../pages/help/topics.ts';
import { doors, lazy, navigationPlaces, type Place, recordPlaces, settingsPlaces } from './frame/pages.ts';
import { NotFoundPage, RouteFailure, RoutePending } from './frame/RouteStates.tsx';
import { Shell } from './frame/Shell.tsx';

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    title?: ParseKeys;
    help?: TopicId | undefined;
  }
}

/** Sets the document title to the title of the innermost page. */
function Root() {
  const { t, i18n } = useTranslation();
  const name = useRecordName();
  const store = useQuery({ ...openedStoreQuery(openedStore ?? ''), enabled: openedStore !== undefined }).data?.name;
  const title = useMatches({ select: (matches) => matches.at(-1)?.staticData.title });
  useEffect(() => {
    // The titles of most pages are translations that are loaded with the page.
    const place = title && i18n.exists(title as string) ? t(title) : undefined;
    document.title = [name, place, store ?? 'Vitrine'].filter(Boolean).join(' · ');
  });
  return <Outlet />;
}

const root = createRootRoute({ component: Root });
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: ({ location }) => {
    if (session.token() === null && !session.lapsed())
      throw redirect({
        to: '/sign-in',
        search: session.left() || location.href === '/' || location.href === '/screens' ? {} : { next: location.href },
      });
  },
  component: Shell,
});
const settings = createRoute({
  getParentRoute: () => shell,
  id: 'tabs',
  component: lazy(() => import('./frame/SettingsFrame.tsx'), 'SettingsFrame'),
});

type SearchOf<P extends Place> = P extends { search: infer S extends NonNullable<Place['search']> }
  ? { -readonly [K in keyof S]?: NonNullable<ReturnType<S[K]>> }
  : object;

const routeOf = <Parent extends AnyRoute, P extends Place>(
  parent: Parent,
  { path, title, help, page, search: readers = {}, enter }: P,
) =>
  createRoute({
    getParentRoute: () => parent,
    path: path as P['path'],
    staticData: { title, help },
    ...(page && { component: page }),
    validateSearch: (given: Record<string, unknown>) => {
      const read = Object.entries(readers).map(([name, reader]) => [name, reader(given[name])]);
      return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as SearchOf<P>;
    },
    beforeLoad: ({ search }) => enter?.(search as { next?: string; part?: string }),
  });

/** Keeps the types of paths and search parameters, so that a link to an unknown page does not compile. */
type RoutesOf<Parent extends AnyRoute, P extends Place> = (P extends Place
  ? ReturnType<typeof routeOf<Parent, P>>
  : never)[];
const routesOf = <Parent extends AnyRoute, P extends Place>(parent: Parent, places: readonly P[]) =>
  places.map((place) => routeOf(parent, place)) as RoutesOf<Parent, P>;

const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  beforeLoad: async () => {
    // Headquarters starts with the stores page. If the server does not answer, the page itself reports the error.
    const me = await queryClient.ensureQueryData(meQuery).catch(() => undefined);
    throw redirect({ to: me?.headquarters ? '/stores' : '/screens', replace: true });
  },
});
const nowhere = createRoute({
  getParentRoute: () => shell,
  path: '$',
  component: NotFoundPage,
  staticData: { title: 'app.notFound' },
});

/**
 * Parses a search parameter. A text is read as a number only if the number is written in the same way: the pairing
 * code 2E3456 is not a number.
 */
const searchValue = (raw: string): unknown => {
  const value: unknown = JSON.parse(raw);
  if (typeof value === 'number' && String(value) !== raw) throw new SyntaxError('not a number as we write it');
  return value;
};

export const router = createRouter({
  routeTree: root.addChildren([
    ...routesOf(root, doors),
    shell.addChildren([
      home,
      ...routesOf(shell, [...navigationPlaces, ...recordPlaces]),
      settings.addChildren(routesOf(settings, settingsPlaces)),
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
});
