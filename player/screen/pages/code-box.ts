import { el } from '../dom.ts';

/** Shows a code with one cell for each character, in two halves. */
export function codeBox(code: string): HTMLElement {
  const half = Math.ceil(code.length / 2);
  const box = el(
    'div',
    'code',
    ...[...code].map((character, index) => el('span', index === half ? 'cell second' : 'cell', character)),
  );
  box.style.setProperty('--characters', String(Math.max(1, code.length)));
  box.setAttribute('aria-label', code);
  return box;
}
