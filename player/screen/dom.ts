/** Creates an element. Strings become text nodes, never HTML, because names come from outside. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

export function svg(
  viewBox: string,
  className: string,
  ...paths: readonly Readonly<Record<string, string>>[]
): SVGSVGElement {
  const root = document.createElementNS(SVG, 'svg');
  root.setAttribute('viewBox', viewBox);
  root.setAttribute('class', className);
  root.setAttribute('aria-hidden', 'true');
  for (const attributes of paths) {
    const path = document.createElementNS(SVG, 'path');
    for (const [name, value] of Object.entries(attributes)) path.setAttribute(name, value);
    root.append(path);
  }
  return root;
}
