/** Creates elements. Text is always a text node, because it comes from a document that anybody may have written. */
import type { DrawnNode } from './context.ts';
import { safeNodes } from './safe-nodes.ts';

const SIDES = ['top', 'right', 'bottom', 'left'];

type Styles = Readonly<Record<string, string | number | undefined>>;

/** Sets CSS properties by their name in CSS; undefined leaves a property unset. */
export const styled = <E extends HTMLElement | SVGElement>(element: E, styles: Styles): E => {
  for (const [name, value] of Object.entries(styles)) {
    if (value === undefined) continue;
    // Browsers before Chromium 87 do not know `inset`.
    for (const property of name === 'inset' ? SIDES : [name]) element.style.setProperty(property, String(value));
  }
  return element;
};

export const box = (styles: Styles, ...children: readonly (Node | string)[]): HTMLElement => {
  const element = styled(document.createElement('div'), styles);
  element.append(...children);
  return element;
};

export const span = (text: string, styles: Styles = {}): HTMLElement => {
  const element = styled(document.createElement('span'), styles);
  element.textContent = text;
  return element;
};

const SVG = 'http://www.w3.org/2000/svg';
export const svg = (viewBox: string, nodes: readonly DrawnNode[], styles: Styles = {}): SVGSVGElement => {
  const root = document.createElementNS(SVG, 'svg');
  root.setAttribute('viewBox', viewBox);
  for (const [tag, attributes] of safeNodes(nodes)) {
    const node = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    root.append(node);
  }
  return styled(root, { display: 'block', width: '100%', height: '100%', ...styles });
};
