/** A notice for a page that cannot be the screen, because another tab is the screen or the browser stores no data. */
import { el } from '../../screen/dom.ts';
import { wordmark } from '../../screen/pages/brand.ts';
import { textsFor } from '../text.ts';

export interface Notice {
  readonly title: string;
  readonly hint: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** Shows the notice. Returns a function that hides it. */
export function showNotice(root: HTMLElement, { title, hint, action }: Notice): () => void {
  const middle = el('section', 'middle', el('h1', '', title), el('p', 'hint', hint));
  if (action) {
    const button = el('button', 'press', action.label);
    button.type = 'button';
    button.addEventListener('click', action.run);
    middle.append(button);
  }
  const page = el(
    'main',
    'page notice',
    el('div', 'glow'),
    el('header', 'head', wordmark()),
    middle,
    el('footer', 'foot'),
  );
  page.lang = textsFor(navigator.languages).lang;
  const stage = el('div', 'upright whole', page);
  root.append(stage);
  root.classList.add('attended');
  return () => {
    stage.remove();
    root.classList.remove('attended');
  };
}
