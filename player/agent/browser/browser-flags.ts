/** Flags that restrict Chromium to showing the screen page. */

export interface BrowserMode {
  readonly profile: string;
  readonly headless: boolean;
  /** Whether the browser runs as root. Chromium then refuses to start with its sandbox, so the sandbox is off. */
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
  // With this flag, a page that hangs in a frame does not block other pages.
  '--site-per-process',
  // The sound of a video must not wait for a touch by a person, because nobody touches a screen.
  '--autoplay-policy=no-user-gesture-required',
];

/**
 * Chromium's background services are disabled: they use the internet and leak memory, in a known case from 272 MB to
 * 1,900 MB.
 */
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

/** Keeps the page active: a screen is never in the background, whatever the window manager or power saving reports. */
const AWAKE = [
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
];

export function browserFlags({ profile, headless, root, extra }: BrowserMode): string[] {
  return [
    // DevTools uses a pipe instead of a port, so that no other program on this machine can connect.
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    ...KIOSK,
    ...QUIET,
    ...AWAKE,
    ...(headless ? ['--headless=new', '--hide-scrollbars'] : []),
    ...(root ? ['--no-sandbox'] : []),
    ...extra,
    // The address of the page is sent through the pipe, because every user of the machine can read a command line. On
    // `about:blank` Chromium focuses its address bar, even an invisible one, and the first touched field would lose the
    // focus at once.
    'data:,',
  ];
}
