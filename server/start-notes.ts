/** What the server says on the terminal once it is up: where it is, and what this machine lacks. */
import { lanAddresses } from './discovery/addresses.ts';
import { findFfmpeg } from './media/ffmpeg.ts';

export const addressesToPrint = (port: number, config: { host: string; data: string }): string => {
  const lines = [
    'Vitrine is running.',
    `  This computer:   http://localhost:${port}/`,
    ...lanAddresses(config.host).map((address) => `  On the network:  http://${address}:${port}/`),
    `  Data:            ${config.data}`,
  ];
  return `${lines.join('\n')}\n`;
};

/** Optional helpers that are not there, each with what it means. */
export const missingHere = async (): Promise<string[]> =>
  (await findFfmpeg()) ? [] : ['  Note: ffmpeg was not found. Videos upload and play all the same, but have no thumbnail. Installing ffmpeg on this computer adds them.'];
