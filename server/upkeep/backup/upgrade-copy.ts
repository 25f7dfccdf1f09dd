/**
 * Deletes the copy of the database from before an upgrade after the new version has run for a week without problems;
 * the next upgrade replaces the copy anyway.
 */
import { rmSync, statSync } from 'node:fs';
import { copyBeforeUpgrade } from '../../db/open.ts';
import { RunningAges } from '../../db/running-ages.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';

const LOOK_EVERY_MS = 3_600_000;
const KEPT_MS = 7 * 86_400_000;

interface Deps extends Pick<Parts, 'db' | 'mono' | 'log'> {
  readonly mayGo: () => boolean;
}

export class UpgradeCopy implements Lifecycle {
  readonly name = 'upgrade-copy';
  readonly #file: string;
  readonly #ages: RunningAges;
  readonly #deps: Deps;
  #timer: NodeJS.Timeout | undefined;

  /** @param deps.mayGo returns false while the upgraded database has a problem */
  constructor(deps: Deps) {
    const { db, mono } = deps;
    this.#file = copyBeforeUpgrade(db.file);
    this.#ages = new RunningAges({ db, key: 'upgrade_copy', mono });
    this.#deps = deps;
  }

  start(): void {
    this.runDue();
    this.#timer = setInterval(() => this.runDue(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.runDue();
  }

  /** Deletes the copy when it is due. Never throws. */
  runDue(): void {
    try {
      const found = statSync(this.#file, { throwIfNoEntry: false });
      // The modification time is part of the key, because it differs between copies of different upgrades.
      const name = found && String(found.mtimeMs);
      const age = this.#ages.count(name === undefined ? [] : [name]).get(name ?? '') ?? 0;
      if (age < KEPT_MS || !this.#deps.mayGo()) return;
      rmSync(this.#file, { force: true });
      this.#deps.log.info('the copy of the database from before the upgrade was removed', { file: this.#file });
    } catch (error) {
      this.#deps.log.warn('The copy of the database from before the upgrade could not be looked at', { error });
    }
  }
}
