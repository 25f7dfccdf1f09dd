import qrcode from 'qrcode';

/** Returns the rows of a QR code, each a text of `0` and `1`; undefined when the text is too long for a code. */
export const qrRows = (text: string): string[] | undefined => {
  try {
    const { modules } = qrcode.create(text, { errorCorrectionLevel: 'M' });
    return Array.from({ length: modules.size }, (_, y) =>
      Array.from({ length: modules.size }, (_, x) => (modules.get(y, x) ? '1' : '0')).join(''),
    );
  } catch {
    return undefined;
  }
};
