import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linuxSleep, macSleep, sleepCheck, windowsSleep } from './sleep.ts';

test('Linux counts as staying awake when sleep is masked or unsupported, or while Vitrine inhibits sleep', () => {
  const inhibitors = 'NetworkManager 0 root 700 NetworkManager sleep NetworkManager needs to turn off networks delay\n';
  const can = { states: 'freeze mem disk\n', target: 'static\n', inhibitors };
  assert.equal(linuxSleep(can), 'may');
  assert.equal(
    linuxSleep({
      ...can,
      inhibitors: `${inhibitors}Vitrine 0 root 812 systemd-inhibit sleep:idle The server serves the screens block\n`,
    }),
    'never',
  );
  assert.equal(linuxSleep({ ...can, target: 'masked\n' }), 'never');
  assert.equal(linuxSleep({ ...can, states: '\n' }), 'never');
  assert.equal(linuxSleep({ ...can, inhibitors: undefined }), undefined, 'without systemd nobody can say');
});

test('Mac counts as staying awake when sleep is off, or while caffeinate prevents sleep', () => {
  const says = (line: string) =>
    `System-wide power settings:\nCurrently in use:\n standby              1\n${line}\n displaysleep         10\n`;
  assert.equal(macSleep(says(' sleep                1')), 'may');
  assert.equal(macSleep(says(' sleep                0')), 'never');
  assert.equal(macSleep(says(' sleep                1 (sleep prevented by powerd, caffeinate)')), 'never');
  assert.equal(macSleep(says(' sleep                1 (sleep prevented by coreaudiod)')), 'may');
  assert.equal(macSleep(''), undefined);
});

test('the sleep setting of a Windows power plan is read in any language, and the value for mains power counts', () => {
  const says = (mains: string) =>
    `GUID des Energieschemas: 381b4222-f694-41f0-9685-ff5bb260df2e  (Ausbalanciert)\n    Mögliche Einstellung (Minimum): 0x00000000\n    Mögliche Einstellung (Maximum): 0xffffffff\n    Schrittweite: 0x00000001\n  Index der aktuellen Wechselstromeinstellung: ${mains}\r\n  Index der aktuellen Gleichstromeinstellung: 0x00000384\r\n`;
  assert.equal(windowsSleep(says('0x00000708')), 'may');
  assert.equal(windowsSleep(says('0x00000000')), 'never');
  assert.equal(windowsSleep(''), undefined);
});

test('doctor warns about a machine that may go to sleep, names a remedy, and is silent when the state is unknown', () => {
  assert.deepEqual(sleepCheck(undefined, 'linux'), []);
  assert.equal(sleepCheck('never', 'linux')[0]?.level, 'ok');
  for (const [platform, remedy] of [
    ['linux', /install-service/],
    ['darwin', /System Settings/],
    ['win32', /powercfg \/change standby-timeout-ac 0/],
  ] as const) {
    const [found] = sleepCheck('may', platform);
    assert.equal(found?.level, 'warn');
    assert.match(found.text, remedy);
  }
});
