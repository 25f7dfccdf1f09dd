import '../screen/style.css';
import './web.css';
import { z } from 'zod';
import { pause } from '../screen/host/backoff.ts';
import { consoleLog } from './browser-ports.ts';
import { Database } from './storage/database.ts';
import { keepAwake } from './tab/awake.ts';
import { Reloading } from './tab/newer-page.ts';
import { showNotice } from './tab/notice.ts';
import { OneTab } from './tab/one-tab.ts';
import { textsFor } from './text.ts';
import { WebPlayer } from './web-player.ts';

/** Version of the program. The build replaces this name by the version. */
declare const VITRINE_VERSION: string;

// Zod's fast mode generates code at run time, which the content security policy forbids, so it is disabled.
z.config({ jitless: true });

const root = document.getElementById('screen');
if (root) await run(root);

async function run(root: HTMLElement): Promise<void> {
  const reloading = new Reloading({
    fetchPage: () => fetch('./', { cache: 'no-cache', credentials: 'omit' }),
    reload: () => location.reload(),
    memory: sessionStorage,
    pause,
  });
  try {
    const db = await Database.open({ lost: () => void reloading.whenServed() });
    new OneTab({
      root,
      db,
      makePlayer: () =>
        new WebPlayer({ root, db, version: VITRINE_VERSION, opened: () => void reloading.whenNewer(import.meta.url) }),
    }).start();
    keepAwake();
  } catch (error) {
    consoleLog.error('nothing can be kept in this browser', error);
    const { texts } = textsFor(navigator.languages);
    showNotice(root, { title: texts.noStorageTitle, hint: texts.noStorageHint });
  }
}
