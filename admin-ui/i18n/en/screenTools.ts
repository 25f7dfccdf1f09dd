import type { CommandName } from '../../../shared/protocol/commands.ts';

export const commands = {
  title: 'Commands',
  of: {
    screen_on: {
      name: 'Display on',
      about: 'Switches the display on. Outside of opening hours it stays on until the next opening hours have ended.',
      ask: 'Switch {{name}} on?',
      effect_one: 'The display shows the current content.',
      effect_other: 'The displays show the current content.',
    },
    screen_off: {
      name: 'Display off',
      about: 'Switches the display off until it is switched on or the next opening hours begin.',
      ask: 'Switch {{name}} off?',
      effect_one: 'The display stays off until it is switched on or the next opening hours begin.',
      effect_other: 'The displays stay off until they are switched on or the next opening hours begin.',
    },
    launch: {
      name: 'Open an app or page',
      about: 'Shows the player or a web page in front.',
      ask: 'Open an app or page: {{name}}',
      effect_one: 'Leave the address empty to return to the player.',
      effect_other: 'Leave the address empty to return to the players.',
    },
    update: {
      name: 'Update',
      about: 'Installs the newest player version.',
      ask: 'Update {{name}}?',
      effect_one:
        'The screen downloads the newest version and restarts. It shows nothing for a short time. An offline screen updates if it reconnects within a day.',
      effect_other:
        'The screens download the newest version and restart. They show nothing for a short time. Offline screens update if they reconnect within a day.',
    },
    reboot: {
      name: 'Restart',
      about: 'Restarts the screen’s computer.',
      ask: 'Restart {{name}}?',
      effect_one: 'The screen shows nothing for a minute or two, then continues.',
      effect_other: 'The screens show nothing for a minute or two, then continue.',
    },
    shutdown: {
      name: 'Shut down',
      about: 'Shuts the computer down. You have to switch it on again by hand.',
      ask: 'Shut {{name}} down?',
      effect_one: 'The computer stays off. You cannot switch it on from here: somebody has to press its button.',
      effect_other: 'The computers stay off. You cannot switch them on from here: somebody has to press each button.',
    },
  } satisfies Record<
    CommandName,
    { name: string; about: string; ask: string; effect_one: string; effect_other: string }
  >,
  why: { cannot: 'This screen does not support this.', offline: 'The screen is offline.' },
  result: {
    done: '{{screen}}: {{command}} is done',
    sent: '{{screen}}: {{command}} is sent, no answer yet',
    offline: '{{screen}} is offline. {{command}} runs if it reconnects in time.',
    failed: '{{screen}}: {{command}} failed',
    unsupported: '{{screen}} does not support this: {{command}}',
  },
  url: 'Address of the page',
  urlHint: 'Optional.',
};

export const telemetry = {
  title: 'Health over time',
  range: 'Period',
  ranges: { day: '24 hours', week: '7 days', month: '30 days' },
  none: 'No data in this period.',
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
  title: 'Play times of {{name}}',
  always: 'This item always plays.',
  lead: 'The item plays at these times, in the local time of each screen. At other times it is skipped.',
  limit: 'Play only at certain times',
  addBlock: 'Add another time',
  removeBlock: 'Remove this time',
  keep: 'Apply',
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
    sameTime: 'Start and end are the same',
    datesTurned: 'The last day is before the first',
  },
  kinds: { content: 'Content', widgets: 'Widgets' },
  choose: 'Type',
  noWidgets: 'There are no widgets yet, for example a clock, the weather or news.',
  toWidgets: 'Go to widgets',
};

export const hours = {
  title: 'Opening hours',
  bulkTitle_one: 'Opening hours of {{count}} screen',
  bulkTitle_other: 'Opening hours of {{count}} screens',
  always: 'Always on',
  alwaysLead: 'The display is on around the clock.',
  differ:
    'These screens have different opening hours. If you save without opening hours, all displays are on around the clock.',
  lead: 'The display is on at these times, in the local time of the screen. At other times it is off, and plays are not counted.',
  limit: 'On only at certain times',
  change: 'Change hours…',
  off: 'The display is off',
  closed: 'Off: outside of opening hours',
  closedUntil: 'Off: outside of opening hours, until {{when}}',
  onAt: 'Display on: {{hours}}.',
  turnedOff: 'Switched off by hand',
  turnedOffUntil: 'Switched off by hand until {{when}}',
  turnedOn: 'Switched on by hand, outside of opening hours.',
};

export const identify = {
  title: 'Identify',
  sent: '{{screen}} shows its name for 20 seconds',
  offline: '{{screen}} is offline and cannot show its name now',
  unsupported: 'The player of {{screen}} is too old to show its name. Update it first.',
  shown_one: '{{count}} screen shows its name for 20 seconds',
  shown_other: '{{count}} screens show their names for 20 seconds',
  notShown_one: '{{count}} screen is offline or has an old player',
  notShown_other: '{{count}} screens are offline or have an old player',
};

export const history = {
  title: 'Activity',
  all: 'All activity',
  none: 'No activity for this screen yet.',
  plays: 'Last plays',
  allPlays: 'All plays',
  noPlays: 'No plays reported yet.',
  brokenOff: '{{length}}, cut short',
  day: 'Last 24 hours',
  online: '{{share}} online',
  outages_zero: 'never offline',
  outages_one: 'offline once',
  outages_other: 'offline {{count}} times',
};

export const views = {
  title: 'Views',
  none: 'No saved views yet. Search and filter the list, then save it as a view.',
  name: 'Name of the view',
  keep: 'Save this view',
  rename: 'Rename the view {{name}}',
  newName: 'New name',
  delete: 'Delete the view {{name}}',
  csv: 'Download as CSV',
};
