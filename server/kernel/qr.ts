/** Returns a QR code of a text as a data URL. Null when drawing fails; people then type the text. */
export const drawQr = async (text: string): Promise<string | null> => {
  try {
    const { default: qrcode } = await import('qrcode');
    return await qrcode.toDataURL(text, { errorCorrectionLevel: 'M', margin: 2, scale: 6 });
  } catch {
    return null;
  }
};
