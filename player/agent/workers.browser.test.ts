/**
 * Tests workers and worklets in the player's own browser. The player's DevTools connection pauses each worker until the
 * player has handled it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pdf } from '../screen/testing/documents.ts';
import { BLUE, GREEN, RED } from '../screen/testing/pictures.ts';
import { item, playing, program } from '../screen/testing/programs.ts';
import { misbehaving, needsBrowser as options } from './testing/misbehaving.ts';

const HOUR = 3_600_000;

/**
 * Test page. It is red, and turns green when all its workers have answered. The worker scripts are blob or data URLs,
 * because a page from this machine runs without an origin and can load no worker file.
 */
const PAGE = `<!doctype html><body style="margin:0;height:100vh;background:#dc1e28"><p>page</p><script type="module">
  const missing = new Set();
  const expect = (name) => {
    missing.add(name);
    return () => {
      missing.delete(name);
      document.querySelector('p').textContent = [...missing].join(' ');
      if (missing.size === 0) document.body.style.background = '#14aa46';
    };
  };
  const code = (source) => URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const worker = expect('worker');
  new Worker(code('postMessage(1)')).onmessage = worker;
  const module = expect('module');
  new Worker('data:text/javascript,postMessage(1)', { type: 'module' }).onmessage = module;
  const nested = expect('nested');
  new Worker(code('const inner = new Blob(["postMessage(1)"]); new Worker(URL.createObjectURL(inner)).onmessage = () => postMessage(1)')).onmessage = nested;
  const audio = expect('audio');
  new AudioContext().audioWorklet.addModule(code('registerProcessor("none", class extends AudioWorkletProcessor {})')).then(audio);
  const paint = expect('paint');
  CSS.paintWorklet.addModule(code('registerPaint("none", class { paint() {} })')).then(paint);
</script>`;

test('web page runs its workers, nested workers and worklets', options, async (t) => {
  const { host, browser, seen, answers, origin } = await misbehaving(t);
  answers.set('/', (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE));
  host.push(playing(program([item(1, { kind: 'web', url: origin, name: 'Map', duration_ms: HOUR })])));
  browser.start();
  await seen(GREEN);
});

test("player's browser shows a PDF", options, async (t) => {
  const { host, browser, seen } = await misbehaving(t);
  const pages = host.add(pdf([RED, BLUE]), 'application/pdf');
  host.push(playing(program([item(1, { kind: 'pdf', asset: pages, name: 'menu.pdf', duration_ms: HOUR })])));
  browser.start();
  await seen(RED);
  assert.deepEqual(host.of('fault'), []);
});
