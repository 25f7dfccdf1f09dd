/** Texts of QR codes by which phones join a Wi-Fi network. Pure. */

export interface Wifi {
  readonly name: string;
  /** Empty: a network without a password. */
  readonly password: string;
  readonly isHidden: boolean;
}

const PREFIX = 'WIFI:';
const escaped = (text: string): string => text.replace(/[\\;,:"]/g, '\\$&');

/** Returns the text of the code in the format that phones read (WPA up to version 3, or open). */
export const wifiText = ({ name, password, isHidden }: Wifi): string =>
  `${PREFIX}T:${password === '' ? 'nopass' : 'WPA'};S:${escaped(name)};${password === '' ? '' : `P:${escaped(password)};`}${isHidden ? 'H:true;' : ''};`;

/** Reads the text of a code; undefined: the code is for something else. */
export const wifiOf = (text: string): Wifi | undefined => {
  if (!text.startsWith(PREFIX)) return undefined;
  const found: Record<string, string> = {};
  for (const [, key, value] of text.slice(PREFIX.length).matchAll(/([A-Z]):((?:\\.|[^\\;])*);/g))
    found[key!] = value!.replace(/\\(.)/g, '$1');
  return { name: found['S'] ?? '', password: found['P'] ?? '', isHidden: found['H'] === 'true' };
};
