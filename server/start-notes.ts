/** What the server says on the terminal once it is up: where it is, and what this machine lacks. */
import { execFile } from 'node:child_process';
import { networkInterfaces } from 'node:os';

export const addressesToPrint = (port: number, config: { host: string; data: string }): string => {
  const lan = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter((a) => a.family === 'IPv4' && !a.internal && (config.host === '0.0.0.0' || config.host === a.address));
  const lines = [
    'Vitrine is running.',
    `  This computer:   http://localhost:${port}/`,
    ...lan.map((a) => `  On the network:  http://${a.address}:${port}/`),
    `  Data:            ${config.data}`,
  ];
  return `${lines.join('\n')}\n`;
};

/** Optional helpers that are not there, each with what it means. */
export const missingHere = async (): Promise<string[]> => {
  const ffmpeg = await hasFfmpeg();
  return ffmpeg ? [] : ['  Note: ffmpeg was not found. Videos upload and play all the same, but have no thumbnail. Installing ffmpeg on this computer adds them.'];
};

const hasFfmpeg = async (): Promise<boolean> => {
  const runs = (file: string) => new Promise<boolean>((done) => execFile(file, ['-version'], { timeout: 5000 }, (error) => done(!error)));
  if (await runs('ffmpeg')) return true;
  try {
    // Optional dependency: where its download failed, the module is not there.
    const { default: bundled } = (await import('ffmpeg-static' as string)) as { default: string | null };
    return bundled !== null && (await runs(bundled));
  } catch {
    return false;
  }
};
