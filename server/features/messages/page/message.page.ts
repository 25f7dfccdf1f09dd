/** Page of a message: a few words in the largest letters that fit. */
import { el, onResize, outline, readJson, type Shape, stage, svg } from '../../widgets/pages/base.ts';
import type { MessageSettings } from '../message-page.ts';
import './message.css';

const { template, title, text } = (readJson('page') as { settings: MessageSettings }).settings;

/** Bisection steps in the search for the largest letters that fit. */
const STEPS = 10;
/** Largest letter size as a fraction of the smaller side, so that short texts do not become excessively large. */
const LARGEST = { whole: 0.22, strip: 0.46 };
const SMALLEST = 0.004;
/** Words are broken only if the letters would otherwise be smaller than this fraction of the smaller side. */
const BREAKS_BELOW = 0.03;
/** Aspect ratio above which signs and prices stand beside the words. */
const STRIP = 2.4;

const SIGNS: Readonly<Record<MessageSettings['template'], readonly Shape[] | null>> = {
  notice: [
    ['circle', { cx: 12, cy: 12, r: 9.5 }],
    ['path', { d: 'M12 11v6M12 7.2v.1' }],
  ],
  alarm: [
    ['path', { d: 'M12 3 1.8 20.5h20.4Z' }],
    ['path', { d: 'M12 10v4.6M12 17.4v.1' }],
  ],
  welcome: null,
  offer: null,
};

/** Each line gets its text direction from its own characters. */
const lines = (written: string): HTMLElement[] =>
  written.split(/\r?\n/).map((line) => el('p', { dir: 'auto' }, line || '\u00a0'));

const sign = SIGNS[template];
const words = el(
  'div',
  { class: 'words' },
  title ? el('h1', { dir: 'auto' }, el('span', {}, title)) : null,
  text ? el('div', { class: 'text' }, lines(text)) : null,
);
const box = el('section', { class: `message ${template}`, role: template === 'alarm' ? 'alert' : 'note' });
if (sign) {
  const drawing = svg('0 0 24 24', sign, outline(2));
  drawing.classList.add('sign');
  box.append(drawing);
}
box.append(words);
stage.append(box);

const isOver = (): boolean => box.scrollHeight > box.clientHeight + 1 || words.scrollWidth > words.clientWidth + 1;

/** Sets the largest letter size that fits. Returns the size as a fraction of the smaller side. */
const enlarge = (largest: number): number => {
  const smaller = Math.min(innerWidth, innerHeight);
  let [low, high] = [SMALLEST, largest];
  const set = (share: number) => box.style.setProperty('--letter', `${share * smaller}px`);
  for (let step = 0; step < STEPS; step++) {
    const share = (low + high) / 2;
    set(share);
    if (isOver()) high = share;
    else low = share;
  }
  set(low);
  return low;
};

const fit = (): void => {
  const isStrip = innerWidth / innerHeight > STRIP;
  const largest = isStrip ? LARGEST.strip : LARGEST.whole;
  box.classList.toggle('strip', isStrip);
  box.classList.remove('broken');
  if (enlarge(largest) >= BREAKS_BELOW) return;
  box.classList.add('broken');
  enlarge(largest);
};

fit();
onResize(fit);
