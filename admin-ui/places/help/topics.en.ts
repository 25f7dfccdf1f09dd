import type { Topic, TopicId } from './topics.ts';

export const topics: readonly (Topic & { id: TopicId })[] = [
  {
    id: 'screens',
    title: 'Connect a screen',
    lead: 'A screen is a display with a computer or a stick that runs the player. The player finds the server in your network automatically.',
    steps: [
      'Start the player on the computer of the screen. It shows a code of 6 characters.',
      'Open Screens: the new screen is waiting there. Press Connect, or enter the code.',
      'Enter a name that people in the store know, and choose the playlist of the screen.',
    ],
    notes: [
      'If the screen finds several servers, it shows a code of its own; enter that one.',
      'Tags like “window” or “floor 2” help to find screens, to plan for them, and to group them automatically.',
      'Identify shows the name of the screen on the screen itself.',
    ],
  },
  {
    id: 'content',
    title: 'Upload pictures and videos',
    lead: 'Content is everything that screens can show: pictures, videos, sound, PDF files and web pages. It is stored on your own server.',
    steps: [
      'Drag files or whole folders into the window, or open Content and press Upload files.',
      'If you have many, sort them into folders, or give them labels.',
      'To put a new file in the place of an old one, choose Replace file in the menu of its tile. Everything that uses it shows the new file.',
    ],
    notes: [
      'Photos from a phone are fine: each screen gets them in the right size.',
      'A file from a web address is copied to the server, so that screens need no internet. Live pages need it.',
      'The details of a file say where it is used, before you change or delete it.',
    ],
  },
  {
    id: 'playlists',
    title: 'Make a playlist and publish it',
    lead: 'A playlist shows content and widgets one after the other, again and again. Screens with the same playlist change at the same moment.',
    steps: [
      'Open Playlists, create a new one, and drag content into the list. Files from your computer can be dropped there, too.',
      'Set how long each item is shown. A video is shown for its whole length automatically.',
      'Press Preview to see it as a screen would show it.',
      'Press Publish. Only then do screens change, and you are told which.',
    ],
    notes: [
      'What you change later is a draft until you publish it again; Compare shows what would change.',
      'The calendar button of an item limits the times at which it plays: “breakfast only until 11”.',
      'A transition lets items fade, push or wipe. Set it for the whole playlist, or for one item.',
    ],
  },
  {
    id: 'plans',
    title: 'Plan content for certain times',
    lead: 'A plan shows content at certain times, for example on certain days or in certain weeks, on screens that you choose. At all other times the playlist plays.',
    steps: [
      'Open Schedule and press New plan, or drag over the calendar.',
      'Choose the content, the screens, groups or tags, and the time.',
      'Read the summary below: it says what will happen, when next, and what the plan replaces.',
      'Save. The calendar shows what each screen will really show.',
    ],
    notes: [
      'When two plans overlap, the one with the higher priority plays; with the same priority the one that starts later.',
      'Times are local times of the screen: 9:00 is 9:00 in each store.',
    ],
  },
  {
    id: 'validity',
    title: 'Show something only from or until a date',
    lead: 'Validity limits when content is shown. An offer that is valid until Saturday is not shown on Sunday, even on screens without network.',
    steps: [
      'Open a file in Content, or a widget, and enter Shown from or Shown until.',
      'For several files at once select them in Content and press Validity.',
      'For one playlist only, set it at the item: press its calendar button.',
    ],
    notes: [
      'Content can be filtered by “Ends soon”, “Expired” and “Starts later”.',
      'The details of the file say what its screens show afterwards.',
    ],
  },
  {
    id: 'layouts',
    title: 'Divide a screen into zones',
    lead: 'A layout divides a screen into zones, for example offers on the left, a clock at the top, a ticker below. Each zone has its own content, widget or playlist.',
    steps: [
      'Open Layouts and use a template, or draw zones on an empty one.',
      'Drag a playlist, a file or a widget into each zone.',
      'Preview it at any time of day, in the format of the screens that will show it.',
      'Save, and choose the screens.',
    ],
    notes: [
      'Items of a screen’s playlist can play in a zone, too: choose the layout above the playlist.',
      'Arrow keys move a zone, with Alt they change its size.',
    ],
  },
  {
    id: 'widgets',
    title: 'Clocks, weather, tickers and more',
    lead: 'A widget shows something that is always up to date, for example a clock, the weather, news, a text or a directory. Add it to playlists and zones like a picture.',
    steps: [
      'Open Widgets, choose a type, and enter a name.',
      'Fill in the form; the preview beside it changes at once.',
      'Save, and add it to a playlist or a zone.',
    ],
    notes: [
      'Weather and feeds need a connection. Without one the last data stays, with its age.',
      'Logos and backgrounds are chosen from your content.',
    ],
  },
  {
    id: 'kiosk',
    title: 'Kiosk pages for touch screens',
    lead: 'A kiosk page has large buttons that lead to your own pages or to web addresses. Visitors use it on a touch screen; after a while it goes back to the start.',
    steps: [
      'Open Kiosk pages and create one.',
      'Add buttons, choose where each leads, and try it in the preview.',
      'Save, and add the page to a playlist through a web page widget.',
    ],
  },
  {
    id: 'messages',
    title: 'Show a message now',
    lead: 'A message is shown over what plays: “The store closes in ten minutes”. What plays continues below it.',
    steps: [
      'Press Message now, which is on every page.',
      'Enter the text and choose how it looks, or drop a picture.',
      'Choose the screens and the duration, and press Show it now.',
    ],
    notes: [
      'You see on how many screens it has arrived. A screen that is offline shows it if it is back in time.',
      'Withdraw removes it everywhere with one click.',
    ],
  },
  {
    id: 'groups',
    title: 'Many screens at once',
    lead: 'A group gives its screens the same playlist, plans and commands. You select its screens, or they follow from tags.',
    steps: [
      'Open Groups and create one.',
      'Add its screens, or choose tags: all screens with the tag “window”.',
      'Choose the playlist of the group. Screens without a playlist of their own play it.',
    ],
    notes: ['In Screens you can select many, or all that a search has found, and change them together.'],
  },
  {
    id: 'walls',
    title: 'Video walls: one picture across several screens',
    lead: 'A video wall shows one picture across several screens. What lies behind the bezels between them is left out, so that lines stay straight.',
    steps: [
      'Open Video walls, create one, and enter how many screens are side by side and above each other.',
      'Drag the screens to their places, and rotate those that are mounted upright.',
      'Measure the visible picture of a screen and the bezels between, and enter the sizes.',
      'Choose the playlist of the wall.',
    ],
    notes: ['The page of the wall says how exactly its screens are synchronised.'],
  },
  {
    id: 'why',
    title: 'Why does this screen show this?',
    lead: 'The page of a screen says what it shows at any moment, and why: which plan, which playlist, which group decided.',
    steps: [
      'Open the screen and go to Playback preview.',
      'Choose a day and a time.',
      'Read the reasons below the picture; each links to what decided.',
    ],
    notes: [
      'The order is: plans first, those with the highest priority before the others; then the playlist of the video wall, the screen or the group; then the fallback.',
      'The content of a zone is shown when nothing else is for that zone.',
    ],
  },
  {
    id: 'attention',
    title: 'Alerts: what is wrong now',
    lead: 'Alerts lists what is wrong now: dark screens with their likely cause, full disks, weak Wi-Fi, machines that are too hot or have the wrong time, dead feeds, offers that end.',
    steps: [
      'A number in the navigation says how much nobody has seen yet. Open Alerts.',
      'Read the likely cause and what to do; the name leads to the screen.',
      'Press I take care, so that the others know, or Seen, or mute it for a while.',
    ],
    notes: [
      'Each disappears automatically when it is over. What was wrong before is under Over.',
      'When to tell sets the limits, and who gets a mail.',
    ],
  },
  {
    id: 'dark',
    title: 'A screen is dark or offline',
    lead: 'The page of the screen says since when it is offline. A screen that has only lost the network continues to play.',
    steps: [
      'Look at the display: is it on, and on the right input?',
      'Is its computer on, and its network cable plugged in?',
      'Its page shows its last address, its Wi-Fi, its health over time, and what happened last.',
      'Restart it from its page if it is online; otherwise switch it off and on.',
    ],
    notes: [
      'Opening hours may have switched the display off: they are on its page.',
      'Alerts says whether its neighbours in the network are fine, or whether it is the network.',
    ],
  },
  {
    id: 'offline',
    title: 'Without internet, without network',
    lead: 'Vitrine does not need the internet. Each screen stores everything that it may have to show on its own disk.',
    notes: [
      'Without the server screens continue to play for weeks, with their plans, play times and validity.',
      'What was shown meanwhile is reported when the network is back, each play once.',
      'These need a connection: live web pages, weather, feeds, videos of video sites.',
    ],
  },
  {
    id: 'reports',
    title: 'Reports and proof of play',
    lead: 'Every play is recorded and signed by the screen that showed it.',
    steps: [
      'Open Reports and choose the period; last month is one click. Or press Report on a content, plan, playlist or group.',
      'Enter a filter: content, a label, a folder, a playlist, a plan, screens, a group or a tag. All figures follow.',
      'Look at “Delivered”: how much of what was planned was shown, in all, by content, by screen and by day.',
      'Press PDF for a report with your logo for a customer, or download the tables or the signed proof of play.',
    ],
    notes: [
      'Planned is what playlists, plans, layouts and fallbacks meant to show while a screen was to be on; messages are not. A play that was cut short counts for as long as it was seen, and what was shown beyond the plan makes up for nothing.',
      '“Less than planned” says which screens miss most, and why: off, without their newest program, something that could not be shown. A screen that is only cut off goes on playing; its plays come in later.',
      'What was planned before your server kept it is not known, and is never shown as nothing.',
      'The signed file can be checked by anybody with “vitrine verify”, without trusting your server.',
      'A report that is saved can be sent by mail on the first day of each month, and its PDF of the last month is one click away.',
    ],
  },
  {
    id: 'bin',
    title: 'Restore what was deleted',
    lead: 'What is deleted or replaced stays in the bin for 30 days. It is restored to where it was used: playlists, screens and plans.',
    steps: [
      'Right after deleting, press Undo in the message.',
      'Later, open Settings, Bin, find it, and press Restore.',
      'Read what could not be restored because something else has taken its place.',
    ],
    notes: ['A playlist has versions: in its menu you can compare with an earlier one and restore it.'],
  },
  {
    id: 'people',
    title: 'People and what they may do',
    lead: 'Everybody who works with Vitrine has an account of their own. Viewers look, editors change content and plans, administrators also people and settings.',
    steps: [
      'Open Settings, People, and press Invite somebody.',
      'Choose the role, and pass on the link.',
      'Change a role or remove somebody in the same place.',
    ],
    notes: [
      'Workspaces separate stores or departments: each has its own screens, content and people.',
      'Everything that people change is listed in Activity.',
      'Turn on two-step sign-in under Account. For a forgotten password create a link: Settings, People, at the account “Password link”. If nobody can sign in, use “vitrine reset-password” on the server’s computer.',
    ],
  },
  {
    id: 'tokens',
    title: 'Access for other programs',
    lead: 'An access token lets a program work with one workspace, for example a till that shows a message, or a script that uploads content.',
    steps: [
      'Open Settings, Access tokens, and press New token.',
      'Choose its permissions and how long it is valid.',
      'Copy it into the program. It is shown only once.',
    ],
    notes: [
      'The program acts as the person who created the token.',
      'Revoke a token that is no longer needed, or that somebody else may know.',
    ],
  },
  {
    id: 'rights',
    title: 'Who may do what',
    lead: 'An editor may change everything in a workspace, unless you say for what the rights are: for uploads alone, for some folders, or for the screens of some groups.',
    steps: [
      'Open Settings, People, and press the button for the rights beside an editor.',
      'Choose what they may do: everything, or only upload.',
      'Choose the folders whose contents they may change, and the groups whose screens they may change.',
      'Save. It holds at once, also in windows that are open.',
    ],
    notes: [
      'Whoever has groups changes the screens of these, and what these alone show. A playlist that also plays on another screen is there to be looked at.',
      'Whoever has folders changes what lies in these and in the folders within. What is uploaded without a folder goes into the first of them.',
      'Who is in a group, which screens there are, and what all screens have in common is changed by people whose rights are for all screens.',
      'When a folder or a group is deleted, it leaves the rights. Nobody gets more by that.',
      'Administrators may always do everything, viewers only look. Access tokens may do what their owner may.',
    ],
  },
  {
    id: 'approval',
    title: 'Publish only what was approved',
    lead: 'In a workspace where publishing needs approval, nothing new comes on screens before somebody has seen it who may approve.',
    steps: [
      'An administrator turns on “Publishing needs approval” under Settings, Workspaces, and says under People who may approve.',
      'Whoever has edited a playlist presses Ask for approval, with a word about it if they like.',
      'Whoever approves finds it under Alerts, compares it with what plays, and presses Approve or Refuse.',
      'Whoever asked sees the answer in the playlist.',
    ],
    notes: [
      'What is published is exactly what was asked for. When somebody edits the playlist meanwhile, it has to be asked for again.',
      'Plans and screens can be given any playlist without asking: what it plays was approved.',
      'Messages, contents and widgets that go onto screens past a playlist, and changes to those that screens show, are for those who approve.',
      'Taking something off screens needs no approval: deleting, removing, withdrawing a message.',
      'The versions of a playlist say who asked and who approved.',
    ],
  },
  {
    id: 'server',
    title: 'Backups and the server',
    lead: 'Settings, Server shows the state of the server: its disk, its backups, its addresses, and problems.',
    steps: [
      'Choose a folder for backups on another disk. A backup is made every night automatically.',
      'Press Back up now before large changes.',
      'To go back, press Restore beside a backup. It shows what would be lost, and first makes a backup of the present state.',
    ],
    notes: [
      'A warning at the top says what is wrong and what to do.',
      'Test unpacks a backup and checks whether it could be restored.',
      'The server can notify people by mail, and other systems by webhook and MQTT.',
    ],
  },
  {
    id: 'updates',
    title: 'Update the screens',
    lead: 'Screens get a new version of the player from your server: one screen first, then groups, then all. A screen on which it does not start goes back to the previous version automatically.',
    steps: [
      'Open Settings, Updates, and upload the files of the version.',
      'Press Roll out, and choose the screen that gets it first.',
      'When it works there, the others follow.',
    ],
  },
  {
    id: 'keys',
    title: 'Keyboard shortcuts',
    lead: 'Everything can be done without a mouse.',
    notes: [
      'Ctrl+K, on a Mac ⌘K: search, and open any page.',
      'Ctrl+Z and Ctrl+Shift+Z: undo and redo in layouts and video walls.',
      'Arrow keys: move zones, screens of a video wall, and plans. The hint at each says which keys change the size.',
      'Space on the handle of an item picks it up, arrow keys move it, space drops it.',
      'Shift and a click select all between two; Escape clears the selection.',
    ],
  },
  {
    id: 'words',
    title: 'What the words mean',
    lead: 'Terms of digital signage, as Vitrine uses them.',
    notes: [
      'Content: a picture, video, sound, PDF or web page. Item: content or a widget at its place in a playlist.',
      'Draft: what you edit. Published: what screens play.',
      'Plan: content at certain times on certain screens. Play times: hours and days in which an item plays (day-parting). Validity: from and until when content is shown.',
      'Layout: how a screen is divided. Zone: a part of it.',
      'Fallback: content that is shown when nothing else plays. Priority: which of two overlapping plans plays.',
      'Group: screens with the same playlist, plans and commands. Tag: a word by which screens are found.',
      'Video wall: several screens that show one picture. Bezel: the frame between two of them. Message: text or a picture over what plays, for a while.',
      'Proof of play: what was shown, where and when, signed by the screens. Workspace: screens, content and people of one store or department.',
    ],
  },
];
