/** Names this browser for the operator, from its user agent. Only for display: nothing depends on it. */

/**
 * Patterns of browsers, in order. The first match counts, because nearly every browser also claims to be Chrome and
 * Safari.
 */
const BROWSERS = [
  { name: 'Edge', pattern: /\bEdg(?:e|A|iOS)?\/(\d+)/ },
  { name: 'Opera', pattern: /\bOPR\/(\d+)/ },
  { name: 'Samsung Internet', pattern: /\bSamsungBrowser\/(\d+)/ },
  { name: 'Firefox', pattern: /\b(?:Firefox|FxiOS)\/(\d+)/ },
  { name: 'Chrome', pattern: /\b(?:Chrome|HeadlessChrome|CriOS)\/(\d+)/ },
  { name: 'Safari', pattern: /\bVersion\/(\d+)[.\d]* (?:Mobile\/\w+ )?Safari\// },
] as const;

const SYSTEMS = [
  { name: 'Android', pattern: /\bAndroid\b/ },
  { name: 'iPad', pattern: /\biPad\b/ },
  { name: 'iPhone', pattern: /\biPhone\b/ },
  { name: 'webOS', pattern: /\bWeb0S\b|\bwebOS\b/ },
  { name: 'Tizen', pattern: /\bTizen\b/ },
  { name: 'ChromeOS', pattern: /\bCrOS\b/ },
  { name: 'Windows', pattern: /\bWindows\b/ },
  { name: 'macOS', pattern: /\bMac OS X\b/ },
  { name: 'Linux', pattern: /\bLinux\b/ },
] as const;

export interface BrowserName {
  /** Name of a screen until a person renames it, in the language of the screen: “Chrome on Windows”. */
  readonly name: string;
  /** Description of the browser for the operator: “Browser (Chrome 131, Windows)”. */
  readonly platform: string;
}

/** @param on word that joins browser and system (text.ts) */
export function browserName(userAgent: string, on: string): BrowserName {
  const browser = BROWSERS.find(({ pattern }) => pattern.test(userAgent));
  const version = browser?.pattern.exec(userAgent)?.[1];
  const system = SYSTEMS.find(({ pattern }) => pattern.test(userAgent))?.name;
  const who = browser?.name ?? 'Browser';
  const parts = [...(browser && version ? [`${who} ${version}`] : []), ...(system ? [system] : [])];
  return {
    name: system ? `${who} ${on} ${system}` : who,
    platform: parts.length > 0 ? `Browser (${parts.join(', ')})` : 'Browser',
  };
}
