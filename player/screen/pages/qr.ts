/** Draws QR codes. A separate module, which the page loads only while a screen is being paired. */
import { create } from 'qrcode';
import { svg } from '../dom.ts';

export function qrSvg(text: string): SVGSVGElement {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  let d = '';
  for (let y = 0; y < modules.size; y++) {
    for (let x = 0; x < modules.size; x++) if (modules.get(y, x)) d += `M${x} ${y}h1v1h-1z`;
  }
  return svg(`0 0 ${modules.size} ${modules.size}`, 'qr-code', { d, 'shape-rendering': 'crispEdges' });
}
