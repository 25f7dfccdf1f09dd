import { useEffect, useState } from 'react';
import type { Page } from '../../../shared/design/design.ts';
import type { DrawContext } from '../../../shared/design/draw/context.ts';

/** Returns the QR codes of a page. Their library is loaded when the first page with a code is drawn. */
export const useQrCodes = (page: Page): DrawContext['qr'] => {
  const hasCode = page.elements.some((element) => element.type === 'qr' && element.value !== '');
  const [qr, setQr] = useState<DrawContext['qr']>(() => none);
  useEffect(() => {
    if (!hasCode) return;
    let isGone = false;
    void import('./qrCode.ts').then(({ qrCode }) => !isGone && setQr(() => qrCode));
    return () => {
      isGone = true;
    };
  }, [hasCode]);
  return qr;
};

const none = () => undefined;
