/** Creates the text that the server prints after its start: its addresses, and missing optional programs. */
import type { HttpsStatus } from '../shared/contract/server/tls.ts';
import { lanAddresses } from './discovery/addresses.ts';
import { findFfmpeg } from './media/ffmpeg.ts';

export const addressesToPrint = (
  port: number,
  config: { host: string; data: string; chain_role: 'store' | 'hq'; setupCode: string | undefined },
): string => {
  const lines = [
    config.chain_role === 'hq'
      ? 'Vitrine is running, as the headquarters of a chain of stores.'
      : 'Vitrine is running.',
    `  This computer:   http://localhost:${port}/`,
    ...lanAddresses(config.host).map((address) => `  On the network:  http://${address}:${port}/`),
    `  Data:            ${config.data}`,
    ...(config.setupCode
      ? [`  Setup code:      ${config.setupCode}, for the first account when it is made on another computer`]
      : []),
  ];
  return `${lines.join('\n')}\n`;
};

/** Returns the text about HTTPS, which starts after HTTP; '' without HTTPS. @param port port of HTTP */
export const httpsToPrint = (https: HttpsStatus, { port, host }: { port: number; host: string }): string => {
  if (https.state === 'off') return '';
  const problem = https.error ? [`  Note: ${https.error}`] : [];
  if (https.state !== 'on') return `${problem.join('\n')}\n`;
  const address = lanAddresses(host)[0] ?? 'localhost';
  // Chooses a name for the printed address. A certificate that a person provided may not contain this machine's
  // address, so one of its names is printed.
  const named =
    https.own_certificate || https.names.includes(address)
      ? address
      : (https.names.find((name) => !/^(localhost|127\.|vitrine-)/.test(name)) ?? 'localhost');
  const trust = https.ca_fingerprint
    ? [
        '                   Screens use it by themselves. Browsers warn until they are given this server’s certificate authority:',
        `                   http://${address}:${port}${https.ca_path} (SHA-256 ${inPairs(https.ca_fingerprint)})`,
      ]
    : [];
  return `${[`  Encrypted:       https://${named}:${https.port}/`, ...trust, ...problem].join('\n')}\n`;
};

const inPairs = (hex: string): string => hex.toUpperCase().replace(/..(?!$)/g, '$&:');

/** Lists missing optional programs with the consequences. */
export const missingHere = async (): Promise<string[]> =>
  (await findFfmpeg())
    ? []
    : [
        '  Note: ffmpeg was not found. Videos can still be uploaded and played, but they have no thumbnail and cannot be converted. Install ffmpeg on this computer.',
      ];
