import { create } from 'qrcode';
import type { DrawContext } from '../../../shared/design/draw/context.ts';

/** Returns the modules of a QR code as the server computes them for screens; undefined if the text is too long. */
export const qrCode: DrawContext['qr'] = (text) => {
  try {
    const { modules } = create(text, { errorCorrectionLevel: 'M' });
    return { size: modules.size, dark: (x, y) => modules.get(y, x) !== 0 };
  } catch {
    return undefined;
  }
};
