import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { keyringUnasked, pluggedIn, windowArgs, windowSystem } from './window-system.ts';

const WAYLAND = { XDG_SESSION_TYPE: 'wayland', WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' };
const ask = (
  env: Record<string, string>,
  {
    displays = 2,
    args = [],
    platform = 'linux',
  }: { displays?: number; args?: string[]; platform?: NodeJS.Platform } = {},
) => windowSystem({ platform, env, args, displays });

test('several displays under Wayland need X11, and one display does not', () => {
  assert.equal(ask(WAYLAND).needsX11, true);
  assert.match(ask(WAYLAND).says ?? '', /X11/);
  assert.equal(ask({ WAYLAND_DISPLAY: 'wayland-1', DISPLAY: ':1' }).needsX11, true);
  assert.equal(
    windowSystem({ platform: 'linux', env: WAYLAND, args: [], displays: undefined }).needsX11,
    true,
    'not known: maybe several',
  );
  for (const [env, options] of [
    [WAYLAND, { displays: 1 }],
    [WAYLAND, { args: ['--ozone-platform=x11'] }],
    [WAYLAND, { args: ['--ozone-platform=wayland'] }],
    [WAYLAND, { platform: 'darwin' }],
    [{ XDG_SESSION_TYPE: 'x11', WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' }, {}],
    [{ DISPLAY: ':0' }, {}],
    [{}, {}],
  ] as const)
    assert.deepEqual(ask(env, options as never), { needsX11: false, says: undefined });
});

test('screens start under Wayland without XWayland, and the log says that it is missing', () => {
  const { needsX11, says } = ask({ XDG_SESSION_TYPE: 'wayland', WAYLAND_DISPLAY: 'wayland-0' });
  assert.equal(needsX11, false);
  assert.match(says ?? '', /Install XWayland/);
});

test('pluggedIn returns the number of displays that Linux lists as connected', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  t.after(() => rmSync(folder, { recursive: true }));
  assert.equal(pluggedIn(folder), undefined);
  for (const [name, status] of [
    ['card0-HDMI-A-1', 'connected\n'],
    ['card0-HDMI-A-2', 'disconnected\n'],
    ['card1-DP-1', 'connected\n'],
  ] as const) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'status'), status);
  }
  mkdirSync(join(folder, 'renderD128'));
  assert.equal(pluggedIn(folder), 2);
  assert.equal(pluggedIn(join(folder, 'none')), undefined);
});

test('windowArgs returns the option that makes Electron use X11 with several displays', () => {
  const said: string[] = [];
  const session = { platform: 'linux', env: WAYLAND, args: [] } as const;
  assert.deepEqual(
    windowArgs(session, (line) => said.push(line), 2),
    ['--ozone-platform=x11'],
  );
  assert.deepEqual(
    windowArgs(session, (line) => said.push(line), 1),
    [],
  );
  assert.equal(said.length, 1);
});

test('keyringUnasked disables the keyring, whose password prompt would cover a screen', () => {
  for (const platform of ['linux', 'win32'] as const) {
    const switches: string[] = [];
    keyringUnasked({ commandLine: { appendSwitch: (name, value) => switches.push(`${name}=${value}`) } }, platform);
    assert.deepEqual(switches, platform === 'linux' ? ['password-store=basic'] : []);
  }
});
