/** A QR code as a picture, for phones. Null: it could not be drawn, and people type. */
export const drawQr = async (text: string): Promise<string | null> => {
  try {
    const { default: qrcode } = await import('qrcode');
    return await qrcode.toDataURL(text, { errorCorrectionLevel: 'M', margin: 2, scale: 6 });
  } catch {
    return null;
  }
};
