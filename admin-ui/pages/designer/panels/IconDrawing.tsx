import { createElement } from 'react';
import { iconOf } from '../../../../shared/design/drawings/icons.ts';

/** The drawing of an icon of designs, in the colour of the text around it. */
export function IconDrawing({ name }: { name: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      {iconOf(name)?.map(([tag, attributes], index) => createElement(tag, { key: index, ...attributes }))}
    </svg>
  );
}
