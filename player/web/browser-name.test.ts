import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserName } from './browser-name.ts';
import { textsFor } from './text.ts';

test('browserName returns the name of the browser from its user agent', () => {
  const cases = [
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
      'Chrome on Windows',
      'Browser (Chrome 131, Windows)',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
      'Edge on Windows',
      'Browser (Edge 131, Windows)',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
      'Firefox on Linux',
      'Browser (Firefox 133, Linux)',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
      'Safari on macOS',
      'Browser (Safari 18, macOS)',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari on iPad',
      'Browser (Safari 17, iPad)',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; SM-X210) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Safari/537.36',
      'Samsung Internet on Android',
      'Browser (Samsung Internet 25, Android)',
    ],
    [
      'Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 WebAppManager',
      'Chrome on webOS',
      'Browser (Chrome 120, webOS)',
    ],
    ['', 'Browser', 'Browser'],
  ] as const;
  for (const [agent, name, platform] of cases) assert.deepEqual(browserName(agent, 'on'), { name, platform });
  assert.equal(browserName(cases[0][0], textsFor(['de-AT']).texts.on).name, 'Chrome auf Windows');
});
