/** Flags that make Chromium a screen: it shows nothing but the page, and does nothing else. */

export interface BrowserMode {
  readonly profile: string;
  readonly headless: boolean;
  /** Chromium refuses its sandbox to root; nobody else goes without it. */
  readonly root: boolean;
  readonly extra: readonly string[];
}

const KIOSK = [
  '--kiosk',
  '--start-fullscreen',
  '--no-first-run',
  '--no-default-browser-check',
  '--noerrdialogs',
  '--disable-infobars',
  '--disable-session-crashed-bubble',
  '--hide-crash-restore-bubble',
  '--disable-pinch',
  '--overscroll-history-navigation=0',
  '--disable-notifications',
  '--deny-permission-prompts',
  '--disable-extensions',
  '--disable-print-preview',
  // A page in a frame that hangs, hangs alone.
  '--site-per-process',
  // Sound of a video must not wait for a touch that never comes.
  '--autoplay-policy=no-user-gesture-required',
];

/** Background services fetch from the internet, and leak: 272 MB to 1,900 MB in a known case. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-breakpad',
  '--no-pings',
  '--metrics-recording-only',
  '--disable-features=Translate,OptimizationHints,MediaRouter,AutofillServerCommunication,InterestFeedContentSuggestions,CertificateTransparencyComponentUpdater,DialMediaRouteProvider,GlobalMediaControls,HardwareMediaKeyHandling',
  '--password-store=basic',
  '--use-mock-keychain',
];

/** A screen is never in the background, whatever window manager or power saving may think. */
const AWAKE = [
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
];

export function browserFlags({ profile, headless, root, extra }: BrowserMode): string[] {
  return [
    // A pipe, not a port: nothing else on this machine can reach it.
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    ...KIOSK,
    ...QUIET,
    ...AWAKE,
    ...(headless ? ['--headless=new', '--hide-scrollbars'] : []),
    ...(root ? ['--no-sandbox'] : []),
    ...extra,
    // The address of the page comes through the pipe: a command line can be read by every user of the machine. On
    // `about:blank` Chromium gives the focus to its address bar, even without one to be seen, and the first field
    // touched loses it at once.
    'data:,',
  ];
}
