import type { Topic, TopicId } from './topics.ts';

export const topics: readonly (Topic & { id: TopicId })[] = [
  {
    id: 'screens',
    title: 'Connect a screen',
    lead: 'A screen is a computer or a stick behind a display that runs the player. It finds the server in your network by itself.',
    steps: [
      'Start the player on the machine behind the display. It shows a code of six letters.',
      'Open Screens: the new screen is waiting there. Press Connect, or type the code.',
      'Give it a name that people in the store know, and choose the playlist that it shall show.',
    ],
    notes: [
      'Where several servers can be heard the screen shows a code of its own; type that one.',
      'Tags like “window” or “floor 2” help to find screens, to plan for them, and to put them into groups by themselves.',
      'Identify shows the name of the screen on the screen itself.',
    ],
  },
  {
    id: 'content',
    title: 'Bring in pictures and videos',
    lead: 'Content is whatever can be shown: pictures, videos, sounds, PDF files, web pages. It is kept on your own server.',
    steps: [
      'Open Content and drag files or whole folders onto the page, or press Upload files.',
      'Sort them into folders, or give them labels, if you have many.',
      'To put a new file in the place of an old one, choose Replace file in the menu of its tile. Everything that shows it changes over.',
    ],
    notes: [
      'Photos from a phone are fine: each screen gets them in the right size.',
      'From a web address a copy is fetched, so that screens need no internet. Live pages need it.',
      'The page of a content tells where it is used, before you change or delete it.',
    ],
  },
  {
    id: 'playlists',
    title: 'Make a playlist and publish it',
    lead: 'A playlist is a row of contents and widgets that is shown again and again. Screens with one playlist change at the same instant.',
    steps: [
      'Open Playlists, make a new one, and drag content into the list.',
      'Say how long each item is shown. A video is shown for its whole length by itself.',
      'Press Preview to see it as a screen would show it.',
      'Press Publish. Only then do screens change, and you are told which.',
    ],
    notes: [
      'What you change later is a draft until you publish it again; Compare tells what would change.',
      'Times of day, in the menu of an item, restrict when it is shown: “breakfast only until 11”.',
      'A transition lets items fade, push or wipe. It is said for the whole list, or for one item.',
    ],
  },
  {
    id: 'plans',
    title: 'Plan a campaign',
    lead: 'A plan shows something at certain times: on certain days, in certain weeks, on screens that you choose. Outside of them the playlist goes on.',
    steps: [
      'Open Schedule and press Plan something, or drag over the calendar.',
      'Say what, on which screens, groups or tags, and when.',
      'Read the sentence below: it says in words what will happen, when next, and what gives way.',
      'Save. The calendar shows what each screen will really show.',
    ],
    notes: [
      'Where two plans meet, the stronger one is shown; among equals the one that was made later.',
      'Times are those of the screen: 9 o’clock is 9 o’clock in each store.',
    ],
  },
  {
    id: 'validity',
    title: 'Show something from, and until',
    lead: 'An offer that ends on Saturday must not be seen on Sunday. Say it where the offer is, and no screen shows it any longer, also without network.',
    steps: [
      'Open a content or a widget, and fill in Shown from or Shown until.',
      'For several at once tick them in Content and press Validity.',
      'For one place only, say it at the item of a playlist: Times of day in its menu.',
    ],
    notes: [
      'Content can be filtered by “Ends soon”, “Over” and “Not yet”.',
      'The page of the content tells what its screens will show then.',
    ],
  },
  {
    id: 'layouts',
    title: 'Divide a screen into zones',
    lead: 'A layout divides the picture: offers on the left, a clock at the top, a ticker below. Each zone has its own content, widget or playlist.',
    steps: [
      'Open Layouts and use a template, or draw zones on an empty one.',
      'Drag a playlist, a content or a widget into each zone.',
      'Look at it at any time of day, in the shape of the screens that will show it.',
      'Save, and choose the screens.',
    ],
    notes: [
      'Items of a screen’s playlist can be put into a zone, too: choose the layout above the playlist.',
      'Arrow keys move a zone, with Shift they change its size.',
    ],
  },
  {
    id: 'widgets',
    title: 'Clocks, weather, tickers and more',
    lead: 'A widget makes its picture by itself: clock, weather, text, feed, menu board, directory. It is put into playlists and zones like a content.',
    steps: [
      'Open Widgets, choose a kind, and give it a name.',
      'Fill in the form; the preview beside it follows at once.',
      'Save, and add it to a playlist or a zone.',
    ],
    notes: [
      'Weather and feeds need a connection. Without one the last answer stays, with its age.',
      'Logos and backgrounds are taken from the library.',
    ],
  },
  {
    id: 'kiosk',
    title: 'Pages to touch',
    lead: 'A kiosk page has large buttons that lead to your own pages or to addresses. On a screen with touch visitors use it; after a while it goes back to the start.',
    steps: [
      'Open Kiosk pages and make one.',
      'Add buttons, say where each leads, and try it in the preview.',
      'Save, and add the page to a playlist through a web page widget.',
    ],
  },
  {
    id: 'messages',
    title: 'Say something now',
    lead: 'A message lies over whatever is playing: “The store closes in ten minutes”. Underneath, everything goes on.',
    steps: [
      'Press Message now, which is on every page.',
      'Type the text and choose how it looks, or drop a picture onto it.',
      'Choose where and for how long, and send it.',
    ],
    notes: [
      'You see on how many screens it has arrived. A screen that is off gets it when it comes back in time.',
      'Withdraw takes it away everywhere with one click.',
    ],
  },
  {
    id: 'groups',
    title: 'Many screens at once',
    lead: 'A group has a playlist, plans and commands for all its screens. Its members are chosen, or follow from tags.',
    steps: [
      'Open Groups and make one.',
      'Tick its screens, or give it a rule: all screens with the tag “window”.',
      'Choose the playlist of the group. Screens without one of their own show it.',
    ],
    notes: ['In Screens you can tick many, or all that a search has found, and change them in one go.'],
  },
  {
    id: 'walls',
    title: 'Several displays, one picture',
    lead: 'A wall joins displays into one large picture. The gaps between them are left out of it, so that lines stay straight.',
    steps: [
      'Open Walls, make one, and say how many displays stand side by side and above each other.',
      'Drag the screens to their places, and turn those that hang on their side.',
      'Measure a display and its frame, and fill the sizes in.',
      'Choose what the wall shows.',
    ],
    notes: ['The page of the wall tells how exactly its displays are in step.'],
  },
  {
    id: 'why',
    title: 'Why does this screen show this?',
    lead: 'The page of a screen tells what it shows at any moment, and why: which plan, which playlist, which group decided.',
    steps: [
      'Open the screen and go to “Now and then”.',
      'Choose a day and a time.',
      'Read the reasons below the picture; each leads to what decided.',
    ],
    notes: [
      'The order is: plans first, the strongest before the others; then the wall’s, the screen’s or the group’s playlist; then the fallback.',
      'A zone’s own content is shown where nothing else wants that zone.',
    ],
  },
  {
    id: 'attention',
    title: 'What needs somebody',
    lead: 'Alerts tells what is wrong now: dark screens with their likely cause, full disks, weak Wi-Fi, machines that are too hot or have the wrong time, dead feeds, offers that end.',
    steps: [
      'A number in the navigation says how much nobody has seen yet. Open Alerts.',
      'Read the likely cause and what to do; the name leads to the screen.',
      'Press I take care, so that the others know, or Seen, or mute it for a while.',
    ],
    notes: [
      'Each goes by itself when it is over. What was wrong before is under Over.',
      'When to tell sets the limits, and who gets a mail.',
    ],
  },
  {
    id: 'dark',
    title: 'A screen is dark',
    lead: 'The window tells since when a screen is not heard of. A screen that is only cut off from the network goes on playing.',
    steps: [
      'Look at the display: is it on, and on the right input?',
      'Is the machine behind it on, and its network cable in?',
      'Its page tells its last address, its Wi-Fi, how it was over time, and what happened last.',
      'Restart it from the page when it answers; else switch it off and on.',
    ],
    notes: [
      'Opening hours may have switched it off: they are on its page.',
      'Alerts tells whether its neighbours in the network are fine, and whether it is the network.',
    ],
  },
  {
    id: 'offline',
    title: 'Without internet, without network',
    lead: 'Nothing of Vitrine needs the internet. Each screen keeps everything that it may have to show on its own disk.',
    notes: [
      'Without the server screens go on for weeks: plans, times of day and ends of offers are kept by the screen itself.',
      'What was shown meanwhile is reported when the network is back, each play once.',
      'What does need a connection: live web pages, weather, feeds, videos of video sites.',
    ],
  },
  {
    id: 'reports',
    title: 'What was shown',
    lead: 'Every play is recorded by the screen that showed it, to the split second, and signed by it.',
    steps: [
      'Open Reports and choose the period.',
      'Type into the box what it is about: content, a label, a folder, a playlist, a plan, screens, a group or a tag. All figures follow.',
      'Press PDF for a report with your logo that a customer can have, or download the table or the signed file.',
    ],
    notes: [
      'The signed file can be checked by anybody with “vitrine verify”, without trusting your server.',
      'A report that is saved can be sent by mail on the first day of each month.',
    ],
  },
  {
    id: 'bin',
    title: 'Get back what was deleted',
    lead: 'What is deleted or replaced lies in the bin for 30 days and comes back with its places: in playlists, on screens, in plans.',
    steps: [
      'Right after deleting, press Undo in the message.',
      'Later, open Settings, Bin, find it, and press Restore.',
      'Read what could not be put back, where something else took its place meanwhile.',
    ],
    notes: ['A playlist has versions: in its menu you can compare with an earlier one and return to it.'],
  },
  {
    id: 'people',
    title: 'People and what they may do',
    lead: 'Whoever works with the window has an account of their own. Viewers look, editors change content and plans, administrators also people and settings.',
    steps: [
      'Open Settings, People, and press Invite.',
      'Choose the role, and send the link.',
      'Change a role or remove somebody in the same place.',
    ],
    notes: [
      'Workspaces keep stores or departments apart: each has its own screens, content and people.',
      'Everything that people change is in Activity.',
      'Turn on two-factor sign-in under Account. Who forgot the password gets a link: Settings, People, at the account “Password link”. On the server’s computer “vitrine reset-password” helps who is locked out.',
    ],
  },
  {
    id: 'server',
    title: 'The server',
    lead: 'Settings, Server tells how the server is: its disk, its addresses, and what needs somebody.',
    notes: [
      'A warning at the top says what is wrong and what to do.',
      'The server can tell a webhook, an MQTT broker and people by mail what happens.',
    ],
  },
  {
    id: 'backups',
    title: 'Backups',
    lead: 'Settings, Backups: copies of everything. One is made every night by itself, and read back before it counts.',
    steps: [
      'Choose a folder for backups on another disk.',
      'Press Back up now before you change much.',
      'To go back, press Restore beside a backup. You see before what would be lost, and a backup of now is made first.',
    ],
    notes: [
      'Who signed in less than 15 minutes ago is not asked for the password before a restore.',
      'While the server restarts, the window says how far it is. Afterwards Go back is offered for a week.',
      'Test unpacks a backup and looks whether it could be restored.',
      'To move to another computer: All in one file, then Download. On the new one, Bring in a backup takes the file, tests it and puts it in the list, where it stays for 30 days. Restored there, the computer becomes your server, with its screens.',
      'Whoever has a backup can be your server: keep it where only you can read it.',
    ],
  },
  {
    id: 'updates',
    title: 'New versions on the screens',
    lead: 'Screens take a new version from your server: one first, then groups, then all. One that does not start well goes back by itself.',
    steps: [
      'Open Settings, Updates, and upload the files of the version.',
      'Choose the screen that tries it first.',
      'When it has run well for a while, the others follow.',
    ],
  },
  {
    id: 'keys',
    title: 'Keys',
    lead: 'Everything can be done without a mouse.',
    notes: [
      'Ctrl+K, on a Mac ⌘K: find anything, go anywhere.',
      'Ctrl+Z and Ctrl+Shift+Z: undo and redo in layouts and walls.',
      'Arrow keys: move zones, displays, plans in the calendar; with Shift: change their size.',
      'Space on the handle of an item picks it up, arrow keys move it, space puts it down.',
      'Shift and a click tick all between two; Escape lets go.',
    ],
  },
  {
    id: 'words',
    title: 'What the words mean',
    lead: 'Terms of this field, as this window uses them.',
    notes: [
      'Content: a picture, video, sound, PDF or page. Item: a content or widget at its place in a playlist.',
      'Draft: what you edit. Published: what screens play.',
      'Plan: something at certain times on certain screens. Day-part: hours of the day in which an item is shown.',
      'Layout: how the picture is divided. Zone: a part of it.',
      'Fallback: what is shown when nothing else is.',
      'Group: screens that have something in common. Tag: a word by which they are found.',
      'Wall: several displays as one picture. Message: something over the picture, for a while.',
      'Proof of play: what was shown, where and when, signed by the screens.',
    ],
  },
];
