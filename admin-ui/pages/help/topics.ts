import type { KeyTexts } from './keys.ts';

/** The structure of the handbook. Each language has the same topics with the same steps (topics.test.ts). */
export interface Topic {
  readonly id: string;
  readonly title: string;
  /** The purpose of the page, in a sentence or two. */
  readonly lead: string;
  /** The steps in order. */
  readonly steps?: readonly string[];
  /** Further facts about the topic. */
  readonly notes?: readonly string[];
  /** A table of the keys of each page. */
  readonly keys?: KeyTexts;
}

/** For each topic in the order of the handbook: the page in the admin window, and the page that the picture shows. */
export const places = {
  screens: { path: '/screens', picture: 'screens' },
  content: { path: '/content', picture: 'content' },
  playlists: { path: '/playlists', picture: 'playlists-one' },
  plans: { path: '/schedule', picture: 'schedule' },
  validity: { path: '/content', picture: null },
  layouts: { path: '/layouts', picture: 'layouts-one' },
  widgets: { path: '/widgets', picture: 'widgets-one' },
  kiosk: { path: '/kiosk', picture: 'kiosk-one' },
  messages: { path: '/overlay', picture: 'overlay' },
  groups: { path: '/groups', picture: 'groups-one' },
  walls: { path: '/walls', picture: 'walls-one' },
  why: { path: '/screens', picture: 'screens-one' },
  attention: { path: '/attention', picture: 'attention' },
  dark: { path: '/screens', picture: null },
  offline: { path: null, picture: null },
  reports: { path: '/reports', picture: 'reports' },
  bin: { path: '/bin', picture: 'bin' },
  people: { path: '/settings/people', picture: 'settings-people' },
  tokens: { path: '/settings/tokens', picture: null },
  rights: { path: '/settings/people', picture: null },
  approval: { path: '/attention', picture: null },
  server: { path: '/settings/server', picture: 'settings-server' },
  backups: { path: '/settings/backups', picture: null },
  updates: { path: '/settings/updates', picture: null },
  chain: { path: '/settings/headquarters', picture: null },
  // Topics that have no page in a store's admin window.
  campaigns: { path: null, picture: null },
  values: { path: null, picture: null },
  software: { path: null, picture: null },
  sticks: { path: null, picture: null },
  keys: { path: null, picture: null },
  words: { path: null, picture: null },
} as const satisfies Record<string, { path: string | null; picture: string | null }>;
export type TopicId = keyof typeof places;

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();
const textOf = ({ title, lead, steps = [], notes = [], keys }: Topic): string =>
  [title, lead, ...steps, ...notes, ...Object.values(keys?.places ?? {}), ...Object.values(keys?.deeds ?? {})].join(
    ' ',
  );

/** Returns the topics that contain every typed word. Topics whose title matches come first. */
export const topicsLike = (topics: readonly Topic[], typed: string): Topic[] => {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  const has = (text: string) => words.every((word) => plain(text).includes(word));
  return topics.filter((topic) => has(textOf(topic))).toSorted((a, b) => Number(has(b.title)) - Number(has(a.title)));
};
