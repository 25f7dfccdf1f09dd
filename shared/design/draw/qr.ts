/** Draws QR codes from their modules. Pure. */
import type { DrawContext, DrawnNode } from './context.ts';

type Code = NonNullable<ReturnType<DrawContext['qr']>>;

/** Margin in modules, in the colour of the background. Readers need it. */
const MARGIN = 4;

export const qrDrawing = (
  code: Code,
  color: string,
  background: string,
): { readonly viewBox: string; readonly nodes: readonly DrawnNode[] } => {
  let d = '';
  for (let y = 0; y < code.size; y++)
    for (let x = 0; x < code.size; x++) if (code.dark(x, y)) d += `M${x} ${y}h1v1h-1z`;
  const [start, side] = [String(-MARGIN), String(code.size + 2 * MARGIN)];
  return {
    viewBox: `${start} ${start} ${side} ${side}`,
    nodes: [
      ['rect', { x: start, y: start, width: side, height: side, fill: background }],
      ['path', { d, fill: color }],
    ],
  };
};
