import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { desktopWords } from '../../shared/desktop/words.ts';
import { type ProgramSays, shellOf } from '../../shared/protocol/shell.ts';
import { addressPage } from './address-page.ts';
import { obeyShell, reportToShell } from './shell-link.ts';
import { type ServerState, trayMenu, trayTip } from './tray-menu.ts';

const state = (more: Partial<ServerState> = {}): ServerState => ({
  by: 'child',
  phase: 'running',
  hint: undefined,
  addresses: ['http://192.168.1.5:8710/'],
  screens: { online: 3, total: 4 },
  startsAtLogin: true,
  role: undefined,
  ...more,
});
const { words } = desktopWords(['en']);
const labels = (of: ServerState, said = words) =>
  trayMenu(of, said).flatMap((item) => (item === 'separator' ? [] : [item.label]));

test('tray menu shows the number of online screens and the server’s address', () => {
  assert.deepEqual(labels(state()), [
    '3 of 4 screens online',
    'Open Vitrine',
    'Address: http://192.168.1.5:8710/',
    'Pause',
    'Start at login',
    'Quit',
  ]);
  assert.equal(trayTip(state({ screens: { online: 0, total: 0 } }), words), 'Vitrine is running');
});

test('tray menu is in German on a German system', () => {
  const german = desktopWords(['de-DE']).words;
  assert.deepEqual(labels(state(), german), [
    '3 von 4 Bildschirmen online',
    'Vitrine öffnen',
    'Adresse: http://192.168.1.5:8710/',
    'Pausieren',
    'Bei der Anmeldung starten',
    'Beenden',
  ]);
});

test('tray menu of a paused server offers to resume the server and says that screens keep playing', () => {
  assert.deepEqual(labels(state({ phase: 'paused' })), [
    'Vitrine is paused; screens keep playing',
    'Resume and open Vitrine',
    'Resume',
    'Start at login',
    'Quit',
  ]);
  assert.ok(!labels(state({ phase: 'pausing' })).includes('Pause'));
});

test('tray menu shows the role of this computer and offers the other roles', () => {
  const [item] = trayMenu(state({ role: 'both' }), words).flatMap((each) =>
    each !== 'separator' && each.choices ? [each.choices] : [],
  );
  assert.deepEqual(
    item?.map(({ label, action, checked }) => [label, action, checked]),
    [
      ['The store’s server', 'become-server', false],
      ['A screen', 'become-player', false],
      ['Both', 'become-both', true],
    ],
  );
});

test('tray menu shows whether the installed service answers, and what a person must do if it does not', () => {
  const service = { by: 'service', screens: undefined } as const;
  assert.equal(labels(state(service)).at(-1), 'Close this program; the service keeps running');
  assert.deepEqual(
    labels(state({ ...service, phase: 'waiting', hint: 'In a terminal: sudo vitrine service start' })).slice(0, 4),
    ['The Vitrine service does not answer', 'In a terminal: sudo vitrine service start', 'Open Vitrine', 'Start'],
  );
  const stranger = labels(state({ ...service, phase: 'stranger' }));
  assert.ok(!stranger.includes('Pause') && !stranger.includes('Start'));
});

test('address page runs no script, whatever the address contains', () => {
  const page = decodeURIComponent(
    addressPage(['http://x/"><script>alert(1)</script>', 'http://y/'], 'data:image/png;base64,AA', ['de-DE']),
  );
  assert.ok(!page.includes('<script'));
  assert.match(page, /default-src 'none'/);
  assert.match(page, /<html lang="de">.*<title>Adresse dieses Servers<\/title>.*oder http:\/\/y\//);
});

test('server reports its address and its screens to the desktop program that started it, if there is one', () => {
  const none = new EventEmitter();
  assert.equal(shellOf(none), undefined);
  const said: ProgramSays[] = [];
  const program = Object.assign(new EventEmitter(), { send: (message: unknown) => said.push(message as ProgramSays) });
  const shell = shellOf(program);
  assert.ok(shell);
  let stopped = 0;
  obeyShell(shell, () => stopped++);
  reportToShell(shell, { port: 8710, addresses: ['http://a:8710/'], screens: () => ({ online: 1, total: 2 }) });
  assert.deepEqual(said, [
    { type: 'serving', port: 8710, addresses: ['http://a:8710/'] },
    { type: 'screens', online: 1, total: 2 },
  ]);
  for (const data of [{ type: 'quit' }, 'stop', null, { type: 'stop' }]) program.emit('message', data);
  assert.equal(stopped, 1);
  program.emit('disconnect');
  assert.equal(stopped, 2, 'a shell that is gone');
});
