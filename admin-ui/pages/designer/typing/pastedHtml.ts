/** Prepares HTML of other programs for the editor. The schema of the editor then drops everything that it does not have. */

/** Style of paragraphs that Word shows as list items, and of the spans with their markers. */
const WORD_ITEM = '[style*="mso-list"]';
const WORD_MARKER = '[style*="mso-list:Ignore" i], [style*="mso-list: Ignore" i]';

/** HTML that this editor has copied. Its spaces and styles are meant as they are. */
const isOwn = (html: string): boolean => html.includes('data-pm-slice');

/** Marks the items of Word's lists, which are paragraphs that begin with a bullet or a number. */
const markWordLists = (body: HTMLElement): void => {
  for (const item of body.querySelectorAll<HTMLElement>(WORD_ITEM)) {
    const marker = item.querySelector(WORD_MARKER);
    if (!marker) continue;
    item.dataset['list'] = /[\da-z]/i.test(marker.textContent.replace(/^o\s/, '')) ? 'number' : 'bullet';
    marker.remove();
  }
};

/** Puts spaces between the cells of a row, which becomes one paragraph. */
const joinCells = (body: HTMLElement): void => {
  for (const cell of body.querySelectorAll('td + td, td + th, th + td, th + th')) cell.prepend(' ');
};

/** Returns whether the `style` attribute of an element sets a property to a value. */
const hasStyle = (element: HTMLElement, declaration: RegExp): boolean =>
  declaration.test(element.getAttribute('style') ?? '');

const wrapContent = (element: HTMLElement, tag: 'strong' | 'em'): void => {
  const wrapper = document.createElement(tag);
  wrapper.append(...element.childNodes);
  element.append(wrapper);
};

/**
 * Replaces styles that mean bold and italic by elements, and removes all styles. Styles are read as text, because the
 * Content-Security-Policy of the window permits no style attributes.
 */
const readStyles = (body: HTMLElement): void => {
  for (const element of body.querySelectorAll<HTMLElement>('[style]')) {
    const isHeading = /^h[1-6]$/.test(element.localName);
    if (!isHeading && hasStyle(element, /font-weight\s*:\s*(bold|[6-9]\d\d)/i)) wrapContent(element, 'strong');
    if (hasStyle(element, /font-style\s*:\s*italic/i)) wrapContent(element, 'em');
    // Google Docs puts everything into <b style="font-weight: normal">.
    if (element.localName === 'b' && hasStyle(element, /font-weight\s*:\s*(normal|[1-5]\d\d)/i))
      element.replaceWith(...element.childNodes);
    else element.removeAttribute('style');
  }
};

/** Replaces non-breaking spaces, which word processors and web pages insert anywhere. */
const releaseSpaces = (body: HTMLElement): void => {
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    if (text.data.includes('\u00a0')) text.data = text.data.replaceAll('\u00a0', ' ');
  }
};

export const preparedHtml = (html: string): string => {
  if (isOwn(html)) return html;
  // A parsed document runs no script and loads no picture.
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const element of body.querySelectorAll('style, script, title, meta, link, template')) element.remove();
  markWordLists(body);
  readStyles(body);
  joinCells(body);
  releaseSpaces(body);
  return body.innerHTML;
};
