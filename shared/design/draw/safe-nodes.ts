/** Limits drawings to shapes, so that no drawing can contain script or an address. Pure. */
import type { DrawnNode } from './context.ts';

const TAGS = new Set(['path', 'circle', 'ellipse', 'rect', 'line', 'polyline', 'polygon', 'g']);
const ATTRIBUTE =
  /^(?:d|cx|cy|r|rx|ry|x|y|x1|y1|x2|y2|width|height|points|transform|fill|stroke|opacity|stroke-[a-z]+|fill-rule|clip-rule)$/;

/** Returns the permitted elements of a drawing with their permitted attributes. */
export const safeNodes = (nodes: readonly DrawnNode[]): DrawnNode[] =>
  nodes
    .filter(([tag]) => TAGS.has(tag))
    .map(([tag, attributes]) => [
      tag,
      Object.fromEntries(Object.entries(attributes).filter(([name]) => ATTRIBUTE.test(name))),
    ]);
