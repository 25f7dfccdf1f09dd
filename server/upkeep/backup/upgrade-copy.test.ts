import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { TestClock, tempFolder } from '../../../test/harness.ts';
import { copyBeforeUpgrade, openDatabase } from '../../db/open.ts';
import { UpgradeCopy } from './upgrade-copy.ts';

const DAY_MS = 86_400_000;
const log = { debug: () => {}, info: () => {}, warn: assert.fail, error: assert.fail };

test('copy of the database from before an upgrade is deleted after a week in which the server ran without problems', (t) => {
  const db = openDatabase(join(tempFolder(t), 'vitrine.db'));
  t.after(() => db.close());
  const copy = copyBeforeUpgrade(db.file);
  writeFileSync(copy, 'the old one');
  const mono = new TestClock(0);
  let isWell = true;
  const watch = () => new UpgradeCopy({ db, mono: () => mono.now(), log, mayGo: () => isWell });
  const first = watch();
  first.start();
  mono.advance(4 * DAY_MS);
  first.stop();
  // Simulates that the server is off for a year, which does not count as run time.
  mono.advance(365 * DAY_MS);
  const second = watch();
  second.start();
  mono.advance(2.9 * DAY_MS);
  second.runDue();
  assert.equal(existsSync(copy), true);
  isWell = false;
  mono.advance(DAY_MS);
  second.runDue();
  assert.equal(existsSync(copy), true, 'while the new one is damaged');
  isWell = true;
  second.runDue();
  assert.equal(existsSync(copy), false);
  // Simulates another upgrade, which makes another copy.
  writeFileSync(copy, 'the next one');
  second.runDue();
  mono.advance(6 * DAY_MS);
  second.stop();
  assert.equal(existsSync(copy), true);
});
