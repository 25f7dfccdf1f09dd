import type { CommandName } from '../../../shared/protocol/commands.ts';

export const commands = {
  title: 'Commands',
  of: {
    screen_on: {
      name: 'Screen on',
      about: 'Wakes the panel. Outside its opening hours it stays on until they have begun and ended.',
      ask: 'Switch {{name}} on?',
      effect_one: 'The panel shows what plays.',
      effect_other: 'The panels show what plays.',
    },
    screen_off: {
      name: 'Screen off',
      about: 'Darkens the panel until it is switched on, or its opening hours next begin.',
      ask: 'Switch {{name}} off?',
      effect_one: 'The panel goes dark until it is switched on again, or its opening hours next begin.',
      effect_other: 'The panels go dark until they are switched on again, or their opening hours next begin.',
    },
    launch: {
      name: 'Open an app or page',
      about: 'Brings the player or a page to the front.',
      ask: 'Open an app or page: {{name}}',
      effect_one: 'Leave the address empty to bring the player itself back to the front.',
      effect_other: 'Leave the address empty to bring the players themselves back to the front.',
    },
    update: {
      name: 'Update',
      about: 'Installs the newest player.',
      ask: 'Update {{name}}?',
      effect_one:
        'It downloads the newest version and starts again; it shows nothing for a short time. A screen that is away does it when it comes back within a day.',
      effect_other:
        'They download the newest version and start again; they show nothing for a short time. Those that are away do it when they come back within a day.',
    },
    reboot: {
      name: 'Restart',
      about: 'Restarts the computer behind it.',
      ask: 'Restart {{name}}?',
      effect_one: 'It shows nothing for a minute or two, and then goes on by itself.',
      effect_other: 'They show nothing for a minute or two, and then go on by themselves.',
    },
    shutdown: {
      name: 'Shut down',
      about: 'Somebody must switch it on again by hand.',
      ask: 'Shut {{name}} down?',
      effect_one: 'It goes dark and stays so. It cannot be switched on from here: somebody has to press its button.',
      effect_other:
        'They go dark and stay so. They cannot be switched on from here: somebody has to press each button.',
    },
  } satisfies Record<
    CommandName,
    { name: string; about: string; ask: string; effect_one: string; effect_other: string }
  >,
  why: { cannot: 'This screen cannot do that.', offline: 'The screen is offline.' },
  result: {
    done: '{{screen}}: {{command}} is done',
    sent: '{{screen}}: {{command}} is sent, no answer yet',
    offline: '{{screen}} is away: {{command}} waits for it for a while',
    failed: '{{screen}}: {{command}} failed',
    unsupported: '{{screen}} cannot do this: {{command}}',
  },
  url: 'Address of the page',
  urlHint: 'Optional.',
};

export const telemetry = {
  title: 'Over time',
  range: 'Time',
  ranges: { day: '24 hours', week: '7 days', month: '30 days' },
  none: 'Nothing was reported in this time.',
  series: {
    cpu: 'Processor',
    memory: 'Memory in use',
    storage: 'Storage in use',
    wifi: 'Wi-Fi signal',
    battery: 'Battery',
  },
  latest: 'latest',
  now: 'now',
  between: '{{low}} to {{high}}',
  summary: '{{name}}: between {{low}} and {{high}}, latest {{latest}}',
};

export const dayparts = {
  title: 'When {{name}} plays',
  always: 'It plays always.',
  lead: 'It plays at these times, in the time of each screen’s place. Otherwise it is skipped.',
  limit: 'Play only at certain times',
  addBlock: 'Or also at another time',
  removeBlock: 'Remove this time',
  keep: 'Keep',
  everyDay: 'every day',
  span: '{{first}} to {{last}}',
  fromTo: '{{days}} from {{start}} to {{end}}',
  overnight: '{{days}} from {{start}} to {{end}} the next day',
  allDay: '{{days}}, all day',
  between: '{{when}}, from {{first}} to {{last}}',
  since: '{{when}}, from {{first}}',
  until: '{{when}}, until {{last}}',
  or: ', or ',
  wholeDay: 'All day',
  wrong: {
    noDays: 'Choose at least one day',
    noTime: 'Enter both times',
    sameTime: 'Beginning and end are the same',
    datesTurned: 'The last day is before the first',
  },
  kinds: { content: 'Content', widgets: 'Widgets' },
  choose: 'What to add',
  noWidgets: 'There is no widget yet: a clock, the weather, news.',
  toWidgets: 'Go to widgets',
};

export const hours = {
  title: 'Opening hours',
  bulkTitle_one: 'When {{count}} screen is on',
  bulkTitle_other: 'When {{count}} screens are on',
  always: 'Always on',
  alwaysLead: 'The screen is on day and night.',
  differ: 'These screens have different opening hours. Saved without any, all of them are on day and night.',
  lead: 'The panel is on at these times, in the time of the screen’s place. Otherwise it is off, and nothing counts as shown.',
  limit: 'On only at certain times',
  change: 'Change hours…',
  off: 'The panel is off',
  closed: 'Off by its opening hours',
  closedUntil: 'Off by its opening hours until {{when}}',
  onAt: 'The panel is on {{hours}}.',
  turnedOff: 'Turned off by hand',
  turnedOffUntil: 'Turned off by hand until {{when}}',
  turnedOn: 'Turned on by hand, outside its opening hours.',
};

export const identify = {
  title: 'Identify',
  sent: '{{screen}} shows its name for 20 seconds',
  offline: '{{screen}} is offline: it cannot show its name now',
  unsupported: 'The player of {{screen}} is too old to show its name. Update it first.',
  shown_one: '{{count}} screen shows its name for 20 seconds',
  shown_other: '{{count}} screens show their names for 20 seconds',
  notShown_one: '{{count}} screen is offline or has an old player',
  notShown_other: '{{count}} screens are offline or have an old player',
};

export const history = {
  title: 'What was done',
  all: 'All activity',
  none: 'Nothing has been done with this screen yet.',
  plays: 'Played last',
  allPlays: 'All plays',
  noPlays: 'It has not reported a play yet.',
  brokenOff: '{{length}}, broken off',
  day: 'Last 24 hours',
  online: '{{share}} online',
  outages_zero: 'never away',
  outages_one: 'away once',
  outages_other: 'away {{count}} times',
};

export const views = {
  title: 'Views',
  none: 'No view is kept yet. Search and filter as you like, then keep it under a name.',
  name: 'Name of what is seen now',
  keep: 'Keep this view',
  rename: 'Rename the view {{name}}',
  newName: 'New name',
  delete: 'Delete the view {{name}}',
  csv: 'Download as CSV',
};
