import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readValues } from '../../shared/desktop/install-values.ts';
import { desktopWords } from '../../shared/desktop/words.ts';
import { loginFile, loginSettings } from './login-item.ts';
import { exportToPrograms, machineValues } from './machine-values.ts';
import {
  changeOfRole,
  changeQuestion,
  isChange,
  roleAnswered,
  roleFrom,
  roleQuestion,
  setUpAsAdministrator,
} from './role-question.ts';
import { withoutSandbox } from './sandbox.ts';

const { words } = desktopWords(['en-GB']);
const said = (role?: unknown) => readValues({ role }, 'here');
const from = ({ asked, machine, stored, built }: Partial<Record<'asked' | 'machine' | 'stored' | 'built', unknown>>) =>
  roleFrom({ asked: said(asked), machine: said(machine), stored: said(stored), built: said(built) });

test('closing the question window gives no answer, and each button gives the role that it names', () => {
  const { buttons, cancelId } = roleQuestion(words);
  assert.equal(roleAnswered(cancelId), undefined);
  assert.deepEqual(buttons.map((_, i) => roleAnswered(i)).filter(Boolean), ['server', 'player', 'both']);
  // When the system closes a dialog, Electron may return any number as the button. Such a number is no answer.
  for (const other of [-1, buttons.length, 99]) assert.equal(roleAnswered(other), undefined);
});

test('role question begins with the note about an invalid value', () => {
  assert.match(roleQuestion(words, ['role must be …']).detail, /^role must be …\n\n/);
});

test('role question is German on a German system and English on any other', () => {
  const { detail, buttons } = roleQuestion(desktopWords(['de-AT', 'en-US']).words);
  assert.deepEqual(buttons, ['Der Server des Ladens', 'Ein Bildschirm', 'Beides', 'Jetzt nicht']);
  assert.match(detail, /Sie können es später ändern/);
  for (const languages of [['fr-FR'], []])
    assert.equal(roleQuestion(desktopWords(languages).words).buttons[1], 'A screen');
});

test('role comes from this start, the machine, the person’s choice or the installer, in this order of precedence', () => {
  assert.equal(from({ asked: 'both', machine: 'player', stored: 'server', built: 'player' }).role, 'both');
  assert.equal(from({ machine: 'player', stored: 'server', built: 'server' }).role, 'player');
  assert.equal(from({ stored: 'server', built: 'player' }).role, 'server');
  assert.deepEqual(from({ built: 'player' }), { role: 'player', notes: [] });
  assert.deepEqual(from({}), { role: undefined, notes: [] });
});

test('invalid role leads to the question, not to the role of another source', () => {
  const { role, notes } = from({ machine: 'king', stored: 'server', built: 'server' });
  assert.equal(role, undefined);
  assert.match(notes.join(), /^role here must be server, player or both, not "king"/);
});

test('confirmation of a role change lists what stops and what starts', () => {
  const lines = (a: Parameters<typeof changeOfRole>[0], b: 'server' | 'player' | 'both') =>
    changeOfRole(a, b, words).map((line) =>
      /server .*stops/.test(line)
        ? 'server stops'
        : /server starts/.test(line)
          ? 'server starts'
          : /stop playing/.test(line)
            ? 'screens stop'
            : 'screens start',
    );
  assert.deepEqual(lines('server', 'player'), ['server stops', 'screens start']);
  assert.deepEqual(lines('player', 'server'), ['server starts', 'screens stop']);
  assert.deepEqual(lines('both', 'player'), ['server stops']);
  assert.deepEqual(lines('server', 'both'), ['screens start']);
  assert.deepEqual(lines(undefined, 'both'), ['server starts', 'screens start']);
  assert.deepEqual(lines('both', 'both'), []);
});

test('role changes only when a person starts the program with another role and confirms the change', () => {
  assert.equal(isChange({ to: 'server', from: 'player', isLaunched: false }), true);
  for (const none of [
    { to: 'server', from: 'player', isLaunched: true },
    { to: 'player', from: 'player', isLaunched: false },
    { to: undefined, from: 'player', isLaunched: false },
    { to: 'server', from: undefined, isLaunched: false },
  ] as const)
    assert.equal(isChange(none), false);
  const { detail, cancelId, defaultId } = changeQuestion('player', 'server', words);
  assert.match(detail, /stop playing/);
  assert.deepEqual([cancelId, defaultId], [1, 1]);
});

test('set-up with administrator rights gets its arguments unchanged on each system', () => {
  const values = { role: 'player', server: "http://it's:8710" } as const;
  const vitrine = ["/opt/a 'b'/node", '/x/main.js'] as const;
  const wanted = ['/x/main.js', 'set-up', '--role', 'player', '--server', "http://it's:8710"];
  assert.deepEqual(setUpAsAdministrator({ platform: 'linux', env: { SystemRoot: 'D:\\Windows' } }, vitrine, values), [
    '/usr/bin/pkexec',
    [vitrine[0], ...wanted],
  ]);
  const [, [, script = '']] = setUpAsAdministrator(
    { platform: 'darwin', env: { SystemRoot: 'D:\\Windows' } },
    vitrine,
    values,
  );
  const line = /^do shell script "(.*)" with administrator privileges$/.exec(script)![1]!.replace(/\\(.)/g, '$1');
  const words = execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' });
  assert.deepEqual(words.trimEnd().split('\n'), [vitrine[0], ...wanted]);
  const [program, [, , , command = '']] = setUpAsAdministrator(
    { platform: 'win32', env: { SystemRoot: 'D:\\Windows' } },
    vitrine,
    values,
  );
  assert.equal(program, 'D:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe');
  assert.match(
    command,
    /-FilePath '\/opt\/a ''b''\/node' -ArgumentList '\/x\/main\.js','set-up','--role','player','--server','"http:\/\/it''s:8710"' -Verb RunAs/,
  );
});

test('start at sign-in uses a path that still exists after a restart of the computer', () => {
  const person = { env: {}, home: '/people/a', program: '/opt/Vitrine/vitrine' };
  assert.equal(loginFile(person).file, '/people/a/.config/autostart/vitrine.desktop');
  assert.equal(loginFile({ ...person, env: { XDG_CONFIG_HOME: '/c' } }).file, '/c/autostart/vitrine.desktop');
  assert.match(loginFile(person).text, /^Exec="\/opt\/Vitrine\/vitrine" "--at-login"$/m);
  // The mount point of an AppImage does not exist after a restart.
  assert.match(
    loginFile({ ...person, env: { APPIMAGE: '/apps/Vitrine.AppImage' }, program: '/tmp/.mount_x/vitrine' }).text,
    /^Exec="\/apps\/Vitrine\.AppImage"/m,
  );
  assert.deepEqual(loginSettings(true), { openAtLogin: true, args: ['--at-login'], name: 'Vitrine' });
});

test('disabled sandbox is reported with a sentence that says what to do', () => {
  assert.equal(withoutSandbox({ args: ['--at-login'], appImage: undefined }), undefined);
  assert.equal(withoutSandbox({ args: [], appImage: '/apps/V.AppImage' }), undefined);
  assert.match(
    withoutSandbox({ args: ['--no-sandbox', '--at-login'], appImage: '/apps/V.AppImage' })!,
    /Install the deb/,
  );
  assert.match(withoutSandbox({ args: ['--no-sandbox'], appImage: undefined })!, /start it without/);
});

test('values in install.json do not override environment variables, and a missing file gives no values', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'install.json');
  assert.deepEqual(machineValues('linux', {}, file), { values: {}, wrong: [] });
  // The file is reported as unreadable when a folder has its name, or a permission is missing.
  assert.match(machineValues('linux', {}, folder).wrong.join(), /cannot be read/);
  writeFileSync(file, '{"role":"player","server":"10.0.0.5","code":"ACD349"}');
  const env: NodeJS.ProcessEnv = { VITRINE_CODE: 'XXXXXX' };
  exportToPrograms(machineValues('linux', {}, file), env);
  assert.deepEqual(env, { VITRINE_CODE: 'XXXXXX', VITRINE_SERVER: 'http://10.0.0.5:8710' });
});
