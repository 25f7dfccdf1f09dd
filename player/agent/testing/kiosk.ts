/** The player in a separate process, as on a kiosk, so that tests can kill it or block its disk. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Resolves once the page has an address. @param env added to the environment of this process */
export async function kiosk(
  t: TestContext,
  server: string,
  data: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ url: string; child: ChildProcess }> {
  const main = fileURLToPath(new URL('../../main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, '--server', server, '--data', data, '--no-window', '--name', 'kiosk'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  const url = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const page = /^screen: (\S+)$/m.exec(output)?.[1];
        if (page) resolve(page);
      });
    child.once('close', (code) => reject(new Error(`the player ended with ${code}: ${output}`)));
  });
  return { url: await url, child };
}
