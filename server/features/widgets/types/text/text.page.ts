/**
 * Shows the user's markup in an inner frame, so that its styles affect nothing else. The inner frame inherits this
 * page's policy, which only allows our scripts, so scripts and handlers in the markup never run. No policy stops a meta
 * refresh from navigating the frame; text-frame.page.ts removes it.
 */
import { el, hint, readJson, settingsOf, stage } from '../../pages/base.ts';
import './text.css';

const settings = settingsOf<'text'>();
const style = getComputedStyle(document.documentElement);
const frame = el('iframe', { class: 'text', sandbox: 'allow-scripts', title: 'Text' });
const base = `
  :root { color-scheme: normal; }
  * { box-sizing: border-box; }
  html { height: 100%; margin: 0; overflow: hidden; background: transparent; color: ${style.color};
    font-family: ${style.fontFamily.replaceAll('"', "'")}; line-height: 1.3; overflow-wrap: anywhere; -webkit-font-smoothing: antialiased; }
  body { min-height: 100%; margin: 0; padding: 48px 64px; font-size: 64px; text-align: center; text-wrap: balance;
    letter-spacing: -0.015em; }
  :where(body.lines) { white-space: pre-line; }
  .price { white-space: nowrap; }
  body.plain { display: flex; flex-direction: column; align-items: center; justify-content: center; }
  h1, h2, h3 { margin: 0 0 .35em; line-height: 1.08; letter-spacing: -0.035em; font-weight: 680; }
  h1 { font-size: 2.4em; } h2 { font-size: 1.75em; } h3 { font-size: 1.3em; }
  p { margin: 0 0 .6em; } p:last-child, h1:last-child, h2:last-child { margin-bottom: 0; }
  ul, ol { display: inline-block; margin: 0; padding-left: 1.2em; text-align: left; }
  table { border-collapse: collapse; margin: 0 auto; }
  /* Where a letter may be a line, a column is as narrow as a letter, and breaks words. */
  td, th { overflow-wrap: normal; hyphens: manual; padding: .3em .7em; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); text-align: left; }
  /* Too wide for the screen: each row wraps, so that its columns drop below each other. */
  table.stacked, .stacked :is(thead, tbody, tfoot, caption) { display: block; width: auto; text-align: left; }
  .stacked tr { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1em; padding: .3em 0;
    border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
  .stacked :is(td, th) { display: block; width: auto; max-width: 100%; padding: 0; border-bottom: 0; }
  /* A word that is wider than the screen even in the smallest size: better broken than cut. */
  .broken :is(td, th) { hyphens: auto; overflow-wrap: anywhere; }
  img, video { max-width: 100%; height: auto; }
  pre { white-space: pre-wrap; }
  a { color: inherit; }
  hr { border: 0; border-top: 2px solid color-mix(in srgb, currentColor 25%, transparent); width: 100%; }
`;
const font = document.querySelector('style#font')?.textContent ?? '';
const escapeStyle = (css: string) => css.replace(/<(?=[/!])/g, '\\3c ');
const { css, html, overflow } = settings;
/** Text without tags keeps its line breaks. */
const isText = !/<(?:[a-z/]|!--)/i.test(html);
const kinds = [css.trim() ? '' : 'plain', isText ? 'lines' : ''].join(' ').trim();
const { lang } = document.documentElement;
const head = `<!doctype html><html lang="${lang.replaceAll(/[^\w-]/g, '')}"><meta charset="utf-8"><style>${font}${base}</style><style>${escapeStyle(css)}</style><script>${readJson('inner')}</script>`;
// The markup is passed as data, because the inner frame removes elements that navigate before any markup becomes part
// of a document.
const written = `<script type="application/json" id="written">${JSON.stringify(isText ? html.trim() : html).replaceAll('<', '\\u003c')}</script>`;
frame.srcdoc = `${head}${written}<body class="${kinds}" data-overflow="${overflow}">`;
stage.append(frame);
if (!html.trim()) hint('Nothing written yet');
