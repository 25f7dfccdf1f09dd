/** What each template says. The styles decide how it looks. */
import type { Card, ListRow, TemplateContent } from './template.ts';
import type { TemplateWords } from './words.ts';

/** An address for example codes. `example.com` is reserved, so that no shop of others is reached. */
const EXAMPLE = 'https://example.com';
/** A WLAN code that phones understand. */
const WIFI = 'WIFI:T:WPA;S:Store-Guest;P:welcome1;;';

export interface TemplateTask {
  readonly id: string;
  readonly group: 'offers' | 'menus' | 'store' | 'people' | 'signs' | 'seasons';
  /** Returns what each page says. @param until a local minute some days ahead, for countdowns */
  readonly make: (
    t: TemplateWords,
    more: { readonly currency: string; readonly until: string },
  ) => TemplateContent | readonly TemplateContent[];
}

type Dish = readonly [name: string, note: string, price: string];
const rows = (dishes: readonly Dish[]): ListRow[] => dishes.map(([name, note, value]) => ({ name, note, value }));
const pairs = (found: readonly (readonly [string, string])[]): ListRow[] =>
  found.map(([name, value]) => ({ name, value }));
const cardsOf = (t: TemplateWords, count: number): Card[] =>
  t.articles.slice(0, count).map(([name, note, amount, old]) => ({ name, note, price: { amount, old } }));

const hero = (
  group: TemplateTask['group'],
  id: string,
  make: (t: TemplateWords, until: string) => Omit<Extract<TemplateContent, { shape: 'hero' }>, 'shape' | 'currency'>,
): TemplateTask => ({ id, group, make: (t, { currency, until }) => ({ shape: 'hero', currency, ...make(t, until) }) });
const list = (
  group: TemplateTask['group'],
  id: string,
  make: (t: TemplateWords) => Omit<Extract<TemplateContent, { shape: 'list' }>, 'shape' | 'currency'>,
): TemplateTask => ({ id, group, make: (t, { currency }) => ({ shape: 'list', currency, ...make(t) }) });
/** A menu of several pages, which are shown one after the other. */
const pages = (
  id: string,
  make: (t: TemplateWords) => readonly { readonly title: string; readonly dishes: readonly Dish[] }[],
): TemplateTask => ({
  ...{ id, group: 'menus' },
  make: (t, { currency }) =>
    make(t).map(({ title, dishes }) => ({
      ...{ shape: 'list', currency, words: { title }, values: 'price', hasPicture: true },
      tables: [rows(dishes)],
    })),
});
const cards = (id: string, count: number): TemplateTask => ({
  id,
  group: 'offers',
  make: (t, { currency }) => ({ shape: 'cards', currency, words: { title: t.ourOffers }, cards: cardsOf(t, count) }),
});
const statement = (
  group: TemplateTask['group'],
  id: string,
  make: (t: TemplateWords) => Omit<Extract<TemplateContent, { shape: 'statement' }>, 'shape' | 'currency'>,
): TemplateTask => ({ id, group, make: (t, { currency }) => ({ shape: 'statement', currency, ...make(t) }) });
const sign = (
  id: string,
  make: (t: TemplateWords) => Omit<Extract<TemplateContent, { shape: 'sign' }>, 'shape' | 'currency'>,
): TemplateTask => ({ id, group: 'signs', make: (t, { currency }) => ({ shape: 'sign', currency, ...make(t) }) });

export const TEMPLATE_TASKS: readonly TemplateTask[] = [
  hero('offers', 'offer', (t) => ({
    words: { kicker: t.thisWeek, title: t.article, body: t.articleNote },
    price: { amount: 14.5, old: 18.9 },
  })),
  cards('two-offers', 2),
  cards('three-offers', 3),
  hero('offers', 'new-in', (t) => ({ words: { kicker: t.newIn, title: t.product, body: t.productNote } })),
  hero('offers', 'product-of-the-week', (t) => ({
    words: { kicker: t.thisWeek, title: t.product, body: t.productNote },
    price: { amount: 4.9 },
  })),
  hero('offers', 'sale', (t, until) => ({
    words: { kicker: t.untilSaturday, title: t.sale, body: t.saleNote },
    until,
  })),
  list('menus', 'menu', (t) => ({
    words: { title: t.menu, body: t.menuNote },
    tables: [rows(t.dishes)],
    values: 'price',
    hasPicture: true,
  })),
  list('menus', 'menu-two-columns', (t) => ({
    words: { title: t.menu, body: t.menuNote },
    tables: [rows(t.dishes.slice(0, 5)), rows(t.dishes.slice(5))],
    values: 'price',
    hasPicture: false,
  })),
  list('menus', 'menu-three-columns', (t) => ({
    words: { title: t.menu },
    tables: [
      [{ name: t.starters, value: '', heading: true }, ...rows(t.dishes.slice(0, 2))],
      [{ name: t.mains, value: '', heading: true }, ...rows(t.dishes.slice(2, 6))],
      [{ name: t.desserts, value: '', heading: true }, ...rows(t.dishes.slice(6))],
    ],
    values: 'price',
    hasPicture: false,
  })),
  pages('menu-two-pages', (t) => [
    { title: t.menu, dishes: t.dishes.slice(0, 6) },
    { title: t.drinks, dishes: t.drinkList },
  ]),
  pages('menu-three-pages', (t) => [
    { title: t.starters, dishes: t.dishes.slice(0, 2) },
    { title: t.mains, dishes: t.dishes.slice(2, 6) },
    { title: t.desserts, dishes: t.dishes.slice(6) },
  ]),
  list('menus', 'breakfast', (t) => ({
    words: { title: t.breakfast },
    tables: [rows(t.breakfastDishes)],
    values: 'price',
    hasPicture: true,
  })),
  list('menus', 'price-list', (t) => ({
    words: { title: t.priceList },
    tables: [rows(t.services)],
    values: 'price',
    hasPicture: false,
  })),
  list('menus', 'drinks', (t) => ({
    words: { title: t.drinks },
    tables: [rows(t.drinkList)],
    values: 'price',
    hasPicture: true,
  })),
  list('store', 'opening-hours', (t) => ({
    words: { title: t.hours },
    tables: [pairs(t.days)],
    values: 'text',
    hasPicture: true,
  })),
  list('store', 'holiday-hours', (t) => ({
    words: { title: t.holidayHours },
    tables: [pairs(t.holidays)],
    values: 'text',
    hasPicture: false,
  })),
  statement('store', 'welcome', (t) => ({ words: { title: t.welcome, body: t.welcomeNote } })),
  hero('store', 'event', (t) => ({
    words: { kicker: t.eventWhen, title: t.event, body: t.eventNote },
    qr: EXAMPLE,
  })),
  hero('people', 'job', (t) => ({ words: { title: t.job, body: t.jobNote }, qr: EXAMPLE })),
  hero('people', 'staff-of-the-month', (t) => ({
    words: { kicker: t.staff, title: t.staffName, body: t.staffNote },
  })),
  statement('people', 'review', (t) => ({ words: { kicker: '★★★★★', title: t.review }, signature: t.reviewer })),
  statement('people', 'quote', (t) => ({ words: { title: t.quote }, signature: t.quoted })),
  statement('store', 'scan', (t) => ({ words: { title: t.scan, body: t.scanNote }, qr: EXAMPLE })),
  sign('wifi', (t) => ({ words: { title: t.wifi, body: t.wifiNote }, icon: 'wifi', qr: WIFI })),
  sign('queue', (t) => ({ words: { title: t.queue, body: t.queueNote }, icon: 'ticket' })),
  list('signs', 'directory', (t) => ({
    words: { title: t.directory },
    tables: [pairs(t.floors)],
    values: 'text',
    hasPicture: false,
  })),
  sign('room', (t) => ({ words: { title: t.room, body: t.roomNote }, icon: 'door-open' })),
  sign('notice', (t) => ({ words: { title: t.notice, body: t.noticeNote }, icon: 'info' })),
  hero('seasons', 'valentine', (t) => ({ words: { title: t.valentine, body: t.valentineNote } })),
  hero('seasons', 'autumn', (t) => ({ words: { title: t.autumn, body: t.autumnNote } })),
  hero('seasons', 'back-to-school', (t) => ({ words: { title: t.school, body: t.schoolNote } })),
  statement('store', 'collect', (t) => ({ words: { title: t.collect, body: t.collectNote }, qr: EXAMPLE })),
  hero('offers', 'gift-card', (t) => ({ words: { title: t.gift, body: t.giftNote } })),
  statement('store', 'loyalty', (t) => ({ words: { title: t.loyalty, body: t.loyaltyNote }, qr: EXAMPLE })),
  hero('seasons', 'christmas', (t) => ({ words: { title: t.christmas, body: t.christmasNote } })),
  hero('seasons', 'easter', (t) => ({ words: { title: t.easter, body: t.easterNote } })),
  hero('seasons', 'black-friday', (t, until) => ({
    words: { title: t.blackFriday, body: t.blackFridayNote },
    until,
  })),
  hero('seasons', 'summer', (t) => ({ words: { title: t.summer, body: t.summerNote } })),
  hero('store', 'real-estate', (t) => ({
    words: { kicker: t.flatWhere, title: t.flat, body: t.flatNote },
    price: { amount: 980, unit: t.perMonth },
  })),
  list('store', 'timetable', (t) => ({
    words: { title: t.timetable },
    tables: [pairs(t.courses)],
    values: 'text',
    hasPicture: true,
  })),
];
