/**
 * Tests with a keyboard at a screen: xdotool presses keys in a real display with windows, in the player's own browser.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { virtualDisplay } from '../../test/e2e/hosts/display.ts';
import { until } from '../../test/until.ts';
import { item, playing, program } from '../screen/testing/programs.ts';
import { misbehaving, needsBrowser, page } from './testing/misbehaving.ts';

const hasDisplay =
  process.platform === 'linux' &&
  ['Xvfb', 'xdotool', 'openbox'].every((name) => spawnSync('which', [name]).status === 0);
const options = hasDisplay ? needsBrowser : { ...needsBrowser, skip: 'no Xvfb, xdotool and openbox on this machine' };
const HOUR = 3_600_000;

/** Key names of xdotool. */
const KEYS = [
  ...[
    'F5',
    'ctrl+r',
    'ctrl+shift+r',
    'ctrl+F5',
    'alt+Left',
    'alt+Right',
    'alt+Home',
    'F1',
    'F3',
    'ctrl+f',
    'F6',
    'F7',
    'F10',
    'F11',
    'F12',
    'ctrl+shift+i',
    'ctrl+u',
    'ctrl+p',
    'ctrl+s',
  ],
  ...[
    'ctrl+o',
    'ctrl+l',
    'ctrl+d',
    'ctrl+h',
    'ctrl+t',
    'ctrl+n',
    'ctrl+shift+n',
    'ctrl+shift+t',
    'ctrl+Tab',
    'ctrl+1',
    'ctrl+plus',
    'ctrl+minus',
    'alt+d',
    'alt+f',
    'ctrl+shift+Delete',
  ],
  ...[
    'XF86Back',
    'XF86Refresh',
    'XF86HomePage',
    'Menu',
    'shift+Escape',
    'ctrl+F4',
    'ctrl+w',
    'ctrl+shift+w',
    'ctrl+shift+q',
    'alt+F4',
  ],
];

/** A page that sends its state to its server whenever a key may have changed something. */
const TELLS = `<input style="position:fixed;inset:0;width:100%;height:50%"><script>
  let last = '';
  setInterval(() => {
    const now = [document.hasFocus() && document.activeElement.localName, devicePixelRatio, innerWidth, history.length, document.querySelector('input').value].join(' ');
    if (now !== last) fetch('/state?' + encodeURIComponent(last = now), { mode: 'no-cors' });
  }, 50);
</script>`;

for (const [what, kind] of [
  ['a picture', 'web'],
  ['a kiosk page, while a visitor types,', 'kiosk'],
] as const) {
  test(`no key leaves, reloads, zooms or ends ${what}`, options, async (t) => {
    const DISPLAY = await virtualDisplay(t, '800x600x24');
    const press = (...args: string[]): string =>
      execFileSync('xdotool', args, { env: { ...process.env, DISPLAY }, encoding: 'utf8' });
    const { answers, asked, host, browser, origin } = await misbehaving(t, {
      headless: false,
      env: { DISPLAY },
    });
    answers.set('/d', page('#1e3cd2', TELLS));
    const state = (): string =>
      decodeURIComponent(asked.findLast((path) => path.startsWith('/state?'))?.slice(7) ?? '');
    // Drops the first word of the state (the focused element), because the focus may change.
    const kept = (): string => state().replace(/^\S+/, '');
    const loads = (): number => asked.filter((path) => path === '/d').length;
    host.push(playing(program([item(1, { kind, url: `${origin}/d`, duration_ms: HOUR })])));
    browser.start();
    await host.until('shown', () => true, 30_000);
    const { pid } = browser;
    const types = kind === 'kiosk';
    const click = async (tries: number): Promise<void> => {
      for (let left = tries; left > 0; left--) {
        press('mousemove', '200', '60', 'click', '1');
        await pause(500);
        if (!types || state().startsWith('input ')) return;
      }
    };
    // The first touch already focuses a field.
    await click(1);
    let typed = '';
    const type = async (text: string): Promise<void> => {
      press('type', '--delay', '30', text);
      typed += types ? text : '';
      if (types)
        await until(
          () => `"${typed}" was typed; there is "${state()}"`,
          20_000,
          () => state().endsWith(` ${typed}`),
        );
    };
    await type('ab');
    await pause(200);
    const [before, loadsBefore] = [kept(), loads()];
    const changed: string[] = [];
    const look = async (key: string): Promise<void> => {
      await pause(150);
      const window = press('getwindowfocus', 'getwindowname').trim();
      if (browser.pid !== pid || kept() !== before || loads() !== loadsBefore || !/^(127|Vitrine)/.test(window))
        changed.push(`${key}: ${state()}, ${window}`);
    };
    for (const key of KEYS) {
      press('key', key);
      await look(key);
    }
    for (const [name, args] of [
      ['wheel', ['keydown', 'ctrl', 'click', '4', 'click', '5', 'click', '4', 'keyup', 'ctrl']],
      ['back button', ['click', '8']],
      ['forward button', ['click', '9']],
      ['Tab', ['key', '--repeat', '9', 'Tab']],
      ['shift+Tab', ['key', '--repeat', '9', 'shift+Tab']],
      ['F5 after it', ['key', 'F5']],
    ] as const) {
      press(...args);
      await look(name);
    }
    // Time after which a window that opens slowly has opened.
    await pause(1_000);
    await look('any of them');
    assert.deepEqual(changed, []);
    // After Tab the browser may take the focus once more.
    await click(5);
    press('key', 'End');
    await type('cd');
  });
}
