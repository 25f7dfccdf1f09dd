import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { type Browser, chromium } from 'playwright';
import { CHROMIUM } from '../../../player/agent/testing/chromium.ts';
import { tempFolder } from '../../harness.ts';

export const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--autoplay-policy=no-user-gesture-required',
];

/**
 * Launches a real browser in the network namespace of a host, or on this machine if undefined. The browser is closed
 * after the test.
 */
export const launchOn = async (t: TestContext, namespace: string | undefined): Promise<Browser> => {
  let executablePath = CHROMIUM;
  if (namespace) {
    executablePath = join(tempFolder(t), 'chromium');
    writeFileSync(executablePath, `#!/bin/sh\nexec ip netns exec ${namespace} ${CHROMIUM} "$@"\n`);
    chmodSync(executablePath, 0o755);
  }
  const browser = await launch(executablePath);
  t.after(() => browser.close());
  return browser;
};

const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: ARGS,
    // Sets a locale, because without one Chromium finds no file with an umlaut in its name.
    env: { ...(process.env as Record<string, string>), LC_ALL: 'C.UTF-8' },
  });

let shared: Promise<Browser> | undefined;
/** One browser for all tests of this process, since a launch takes a second. Each test has its own context. */
export const sharedBrowser = async (): Promise<Browser> => {
  const found = await shared;
  if (found?.isConnected()) return found;
  shared = launch(CHROMIUM);
  return shared;
};
after(async () => (await shared)?.close());
