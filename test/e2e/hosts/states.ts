/** States of admin pages other than the default: open menus and dialogs, errors, empty, failed and pending lists. */
import type { Page } from 'playwright';

export interface State {
  readonly name: string;
  /** Path of the page in the admin window. */
  readonly path: string;
  /** Opens the state on the page. */
  readonly open?: (page: Page) => Promise<unknown>;
  /** Whether `open` changes the page itself. Otherwise, `open` opens an overlay. */
  readonly onPage?: true;
  /** Answers for the page's lists. @default the real answers */
  readonly lists?: 'empty' | 'failed' | 'waiting';
  /** Width of the browser window in pixels. @default 1440 */
  readonly width?: number;
  /** Emulates the forced colours of the operating system. */
  readonly forced?: true;
}

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const dialog = (page: Page) => page.getByRole('dialog').last();
/** Returns a function that runs the steps one after the other. */
const all =
  (...steps: ((page: Page) => Promise<unknown>)[]) =>
  async (page: Page) => {
    for (const step of steps) await step(page);
  };
const inDialog = (name: string | RegExp) => (page: Page) => dialog(page).getByRole('button', { name }).last().click();
const fill = (label: string, text: string) => (page: Page) => page.getByLabel(label, { exact: true }).last().fill(text);
const item = (name: string | RegExp) => (page: Page) => page.getByRole('menuitem', { name }).click();
const card = (page: Page) => page.locator('.virtual-card').first().locator('a, button').first();
/** Selects the first card with the Space key. */
const choose = (page: Page) => card(page).press('Space');
const menuOfCard = (page: Page) => card(page).press('Shift+F10');
/** Closes the list of a search field, which stays open as long as the field has the focus. */
const closeList = (page: Page) => page.keyboard.press('Escape');
const more = (page: Page) =>
  page
    .locator('#pane')
    .getByRole('button', { name: /^More for/ })
    .first()
    .click();

export const STATES: readonly State[] = [
  ...['/screens', '/content', '/schedule', '/attention', '/settings/tokens'].map((path) => ({
    name: 'empty',
    path,
    lists: 'empty' as const,
  })),
  ...['/screens', '/reports', '/walls/$wallId'].map((path) => ({
    name: 'the server is gone',
    path,
    lists: 'failed' as const,
  })),
  { name: 'waiting', path: '/playlists', lists: 'waiting' },

  {
    name: 'palette',
    path: '/screens',
    open: all(
      (p) => p.keyboard.press('Control+k'),
      (p) => p.keyboard.type('win'),
    ),
  },
  { name: 'account menu', path: '/screens', open: button(/, Account$/) },
  { name: 'message', path: '/screens', open: button('Message now') },
  { name: 'one chosen', path: '/screens', open: choose, onPage: true },
  { name: 'playlist for those chosen', path: '/screens', open: all(choose, button('Playlist')) },
  { name: 'commands for those chosen', path: '/screens', open: all(choose, button('Commands')) },
  {
    name: 'command asked about',
    path: '/screens',
    open: all(choose, button('Select all'), button('Commands'), item('Display off')),
  },
  { name: 'connect by code', path: '/screens', open: button('Connect a screen') },
  { name: 'views', path: '/screens', open: button('Views') },
  {
    name: 'opening hours, wrong',
    path: '/screens/$screenId',
    open: all(button('Change hours…'), inDialog('Add another time')),
  },
  { name: 'playlists to choose from', path: '/screens/$screenId', open: button(/^Playlist|Shop window, autumn/) },
  { name: 'time zones to choose from', path: '/screens/$screenId', open: button(/Time zone/) },
  { name: 'removal asked about', path: '/screens/$screenId', open: button('Disconnect') },

  { name: 'menu of a card', path: '/content', open: menuOfCard },
  { name: 'move', path: '/content', open: all(menuOfCard, item('Move to a folder')) },
  { name: 'label', path: '/content', open: all(menuOfCard, item('Set label')) },
  { name: 'deletion of what is in use', path: '/content', open: all(menuOfCard, item('Delete')) },
  { name: 'other ways to add', path: '/content', open: button('Other ways to add') },
  {
    name: 'address that is none',
    path: '/content',
    open: all(button('Other ways to add'), item('From a web address'), fill('Address', 'no address'), inDialog('Add')),
  },
  { name: 'content', path: '/content', open: (p) => card(p).press('Enter') },
  { name: 'new folder', path: '/content', open: button('New folder') },

  { name: 'new, without a name', path: '/playlists', open: all(button('New playlist'), inDialog('Create')) },
  { name: 'menu', path: '/playlists/$playlistId', open: more },
  {
    name: 'menu of an item',
    path: '/playlists/$playlistId',
    open: (p) => p.locator('.item-actions button').last().click(),
  },
  {
    name: 'day-parts, wrong',
    path: '/playlists/$playlistId',
    open: all(button(/^Play times of/), inDialog('Play only at certain times'), async (p) => {
      const days = p.locator('.daypart-days [aria-pressed=true]');
      while ((await days.count()) > 0) await days.first().click();
    }),
  },
  { name: 'transition', path: '/playlists/$playlistId', open: button(/^Transition/) },
  { name: 'preview', path: '/playlists/$playlistId', open: button('Preview') },
  { name: 'screens to show it on', path: '/playlists/$playlistId', open: button('Show on screens') },
  { name: 'versions', path: '/playlists/$playlistId', open: all(more, item('Versions')) },

  {
    name: 'plan, with what is missing',
    path: '/schedule',
    open: all(button('New plan'), closeList, inDialog('Create plan')),
  },
  {
    name: 'a plan',
    path: '/schedule',
    open: (p) => p.locator('.plan-chip:not(.base), .block:not(.base)').first().click(),
  },

  { name: 'new', path: '/layouts', open: button('New layout') },
  {
    name: 'a zone chosen',
    path: '/layouts/$layoutId',
    open: (p) => p.locator('.canvas-zone button').first().focus(),
    onPage: true,
  },
  { name: 'screens to show it on', path: '/layouts/$layoutId', open: button('Show on screens') },
  { name: 'deletion asked about', path: '/layouts/$layoutId', open: all(more, item('Delete layout')) },

  { name: 'new, without a name', path: '/groups', open: all(button('New group'), inDialog('Create')) },
  { name: 'screens to add', path: '/groups/$groupId', open: button('Add screens') },

  { name: 'new', path: '/walls', open: button('New video wall') },
  {
    name: 'a panel chosen',
    path: '/walls/$wallId',
    open: (p) => p.locator('.wall-panel button').first().focus(),
    onPage: true,
  },
  { name: 'screens to hang', path: '/walls/$wallId', open: (p) => p.locator('.wall-cell').first().click() },

  { name: 'new', path: '/widgets', open: button('New widget') },
  { name: 'playlist to add it to', path: '/widgets/$widgetId', open: button('Add to playlist') },
  { name: 'menu', path: '/kiosk/$kioskId', open: more },
  { name: 'new', path: '/overlay', open: button('New message') },

  { name: 'saved reports', path: '/reports', open: button('Saved reports') },
  { name: 'periods', path: '/reports', open: button(/Period/) },
  { name: 'when to tell', path: '/attention', open: button('Alert rules') },
  { name: 'emptying asked about', path: '/bin', open: button('Empty the bin') },
  {
    name: 'invite, without an address',
    path: '/settings/people',
    open: all(button('Invite somebody'), inDialog(/Invite|Make/)),
  },
  { name: 'new', path: '/settings/tokens', open: button('New token') },
  { name: 'two-step sign-in', path: '/account', open: button('Turn on two-step sign-in') },
  {
    name: 'passwords wrong',
    path: '/account',
    open: all(fill('Current password', 'x'), fill('New password', 'x'), button('Change password')),
    onPage: true,
  },

  { name: 'message', path: '/screens', forced: true, open: button('Message now') },
  { name: 'one chosen', path: '/content', forced: true, open: choose, onPage: true },

  // States in a narrow browser window, which collapses some controls.
  { name: 'more places', path: '/screens', width: 320, open: button('More') },
  { name: 'message', path: '/screens', width: 320, open: button('Message now') },
  { name: 'plan', path: '/schedule', width: 320, open: button('New plan') },
  { name: 'content', path: '/content', width: 320, open: (p) => card(p).press('Enter') },
  {
    name: 'undo',
    path: '/playlists/$playlistId',
    width: 320,
    open: all((p) => p.locator('.item-actions button').last().click(), item('Remove')),
    onPage: true,
  },
];
