import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeTime, settle } from '../../core/testing/fakes.ts';
import { type Lease, STALE_MS, type TabChannel, TabLease, type TabMessage } from './tab-lease.ts';

/** Simulates one browser: the state that its tabs share. */
class FakeBrowser {
  readonly time = new FakeTime();
  lease: Lease | undefined;
  #listeners: { readonly tab: object; readonly listener: (message: TabMessage) => void }[] = [];

  channel(): TabChannel {
    const tab = {};
    return {
      send: (message) => {
        for (const other of this.#listeners) if (other.tab !== tab) queueMicrotask(() => other.listener(message));
      },
      listen: (listener) => {
        const entry = { tab, listener };
        this.#listeners.push(entry);
        return () => {
          this.#listeners = this.#listeners.filter((other) => other !== entry);
        };
      },
    };
  }

  open(page: string, tab = page) {
    const opened = { hidden: false, stopped: 0 };
    const lease = new TabLease({
      store: {
        update: async (change) => {
          this.lease = change(this.lease);
          return this.lease;
        },
        removeNow: () => {
          this.lease = undefined;
        },
      },
      channel: this.channel(),
      time: this.time,
      page,
      tab,
      hidden: () => opened.hidden,
      yielded: async () => {
        opened.stopped++;
      },
    });
    lease.start();
    return Object.assign(opened, { lease });
  }

  async take({ lease }: { lease: TabLease }, insists = false): Promise<boolean> {
    const taken = lease.acquire({ insists });
    await this.time.advance(300);
    return taken;
  }
}

test('first tab plays at once, and a second tab is refused whenever it asks', async () => {
  const browser = new FakeBrowser();
  const [first, second] = [browser.open('a'), browser.open('b')];
  assert.equal(await first.lease.acquire({ insists: false }), true, 'without waiting for anybody');
  for (let i = 0; i < 3; i++) assert.equal(await browser.take(second), false);
  assert.deepEqual([first.stopped, browser.lease?.page], [0, 'a']);
});

test('of two tabs that open at the same moment, exactly one plays', async () => {
  const browser = new FakeBrowser();
  const tabs = [browser.open('a'), browser.open('b')];
  const taken = tabs.map(({ lease }) => lease.acquire({ insists: false }));
  await browser.time.advance(300);
  assert.deepEqual((await Promise.all(taken)).sort(), [false, true]);
});

test('hidden tab gives the lease to a visible tab after its player has stopped', async () => {
  const browser = new FakeBrowser();
  const [first, second] = [browser.open('a'), browser.open('b')];
  await browser.take(first);
  first.hidden = true;
  assert.equal(await browser.take(second), true);
  assert.deepEqual([first.stopped, first.lease.isHeld, second.lease.isHeld], [1, false, true]);
});

test('tab in which a person presses the button to play gets the lease from a visible tab', async () => {
  const browser = new FakeBrowser();
  const [first, second] = [browser.open('a'), browser.open('b')];
  await browser.take(first);
  assert.equal(await browser.take(second, true), true);
  assert.equal(first.stopped, 1);
});

test('reloaded tab plays on at once, and a duplicate of the tab does not play', async () => {
  const browser = new FakeBrowser();
  const old = browser.open('a1', 'tab');
  await browser.take(old);
  old.lease.stop(); // the page is gone without releasing
  const reloaded = browser.open('a2', 'tab');
  assert.equal(await browser.take(reloaded), true);
  const duplicate = browser.open('a3', 'tab');
  assert.equal(await browser.take(duplicate), false);
});

test('lease of a crashed tab expires after 10 s, and then another tab gets it', async () => {
  const browser = new FakeBrowser();
  const [crashed, next] = [browser.open('a'), browser.open('b')];
  await browser.take(crashed);
  crashed.lease.stop();
  assert.equal(await browser.take(next), false);
  await browser.time.advance(STALE_MS);
  assert.equal(await browser.take(next), true);
});

test("lease is renewed while its tab runs, also after the machine's clock was set", async () => {
  const browser = new FakeBrowser();
  const [first, second] = [browser.open('a'), browser.open('b')];
  await browser.take(first);
  await browser.time.advance(60_000);
  browser.time.wallOffset += 3_600_000;
  await browser.time.advance(4_000);
  assert.equal(browser.time.wall() - (browser.lease?.at ?? 0) < STALE_MS, true);
  assert.equal(await browser.take(second), false);
});

test('closed tab releases its lease at once, and closing a waiting tab releases nothing', async () => {
  const browser = new FakeBrowser();
  const [first, second] = [browser.open('a'), browser.open('b')];
  await browser.take(first);
  second.lease.abandon();
  assert.equal(browser.lease?.page, 'a');
  first.lease.abandon();
  assert.equal(await second.lease.acquire({ insists: false }), true);
});

test('tab that slept while another tab took the lease stops playing when it wakes', async () => {
  const browser = new FakeBrowser();
  const sleeper = browser.open('a');
  await browser.take(sleeper);
  browser.lease = { page: 'b', tab: 'b', at: browser.time.wall() };
  await browser.time.advance(4_000);
  assert.deepEqual([sleeper.stopped, sleeper.lease.isHeld, browser.lease.page], [1, false, 'b']);
});

test('waiting tab is notified when the lease is free', async () => {
  const browser = new FakeBrowser();
  const [first, second] = [browser.open('a'), browser.open('b')];
  await browser.take(first);
  let heard = 0;
  second.lease.onFree(() => heard++);
  await first.lease.release();
  await settle();
  assert.deepEqual([heard, browser.lease], [1, undefined]);
});
