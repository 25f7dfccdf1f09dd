/** Tests with small programs in place of the browser, which fail to start in different ways. */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { FakeTime, MemoryLog } from '../../core/testing/fakes.ts';
import { folderFor } from '../testing/folder.ts';
import { Browser } from './browser.ts';

const options = { skip: process.platform === 'win32' ? 'programs here are shell scripts' : false, timeout: 30_000 };

/** Shell script of the fake browser. `$n` contains the number of this start. */
function rig(t: TestContext, script: string) {
  const folder = folderFor(t);
  const executable = join(folder, 'browser.sh');
  writeFileSync(
    executable,
    `#!/bin/sh\ncd '${folder}'\nn=$(cat starts 2>/dev/null || echo 0); n=$((n + 1)); echo $n > starts\n${script}\n`,
    { mode: 0o755 },
  );
  const time = new FakeTime();
  const log = new MemoryLog();
  const mode = { profile: join(folder, 'profile'), headless: false, root: false, extra: [] };
  const browser = new Browser({ executable, mode, url: 'http://127.0.0.1:1/', time, random: () => 0.5, log });
  t.after(() => browser.stop());
  const gone = () => log.lines.filter((line) => line.startsWith('the browser has ended'));
  /** Waits for the next log line about the end of the browser, and for the delay before the next start. */
  let read = 0;
  const next = async (step = 0): Promise<string> => {
    while (gone().length === read) await time.advance(step);
    await time.advance(30_000);
    return gone()[read++] ?? '';
  };
  return { browser, folder, next };
}

test('failed start of the browser is logged once per reason, and the first time with a hint', options, async (t) => {
  const { browser, next } = rig(
    t,
    `echo "[$$:$$:1121/211609.42:ERROR:ozone_platform_x11.cc:257] $([ $n = 3 ] && echo 'No usable sandbox' || echo "Missing X server ($$)")" >&2; exit 1`,
  );
  browser.start();
  const first = await next();
  assert.match(
    first,
    /^the browser has ended \(the program ended with 1\); it starts again in 2 s\. It said: Missing X server \(\d+\)\. With --no-window the player prints an address/,
  );
  assert.match(await next(), /^the browser has ended \(the program ended with 1\); it starts again in \d+ s$/);
  assert.match(await next(), /in \d+ s\. It said: No usable sandbox$/);
  assert.match(await next(), /in \d+ s\. It said: Missing X server \(\d+\)$/);
});

test(
  'browser with more stderr output than a pipe can buffer is not blocked, and all its output is read',
  options,
  async (t) => {
    const { browser, next, folder } = rig(
      t,
      `head -c 2000000 /dev/zero | tr '\\0' x >&2; touch through; printf '\\nno display\\n' >&2; exit 4`,
    );
    browser.start();
    assert.match(await next(), /the program ended with 4.* It said: no display\./);
    assert.ok(existsSync(join(folder, 'through')));
  },
);

test('helper process that outlives the browser and keeps stderr open causes no delay', options, async (t) => {
  const { browser, next } = rig(t, `echo 'no display' >&2; sleep 5 <&- 3<&- 4>&- & exit 1`);
  browser.start();
  assert.match(await next(10), /It said: no display\./);
});

test('end of a browser that had painted is logged without its stderr', options, async (t) => {
  const { browser, next, folder } = rig(
    t,
    `echo 'one of many lines' >&2; touch up; while [ ! -e end ]; do sleep 0.01; done; exit 1`,
  );
  browser.start();
  while (!existsSync(join(folder, 'up'))) await new Promise((resolve) => setImmediate(resolve));
  browser.alive();
  writeFileSync(join(folder, 'end'), '');
  assert.equal(await next(), 'the browser has ended (the program ended with 1); it starts again now');
});

test('browser whose window was closed restarts at once each time', options, async (t) => {
  const { browser, next, folder } = rig(t, `touch up$n; while [ ! -e end$n ]; do sleep 0.01; done; exit 0`);
  browser.start();
  for (const time of [1, 2, 3]) {
    while (!existsSync(join(folder, `up${time}`))) await new Promise((resolve) => setImmediate(resolve));
    browser.alive();
    writeFileSync(join(folder, `end${time}`), '');
    assert.equal(await next(), 'the browser has ended (the program ended with 0); it starts again now');
  }
});
