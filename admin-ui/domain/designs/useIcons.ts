import { useEffect, useState } from 'react';
import type { Page } from '../../../shared/design/design.ts';
import type { DrawContext } from '../../../shared/design/draw/context.ts';

/** Returns the icons of designs. Their table of 40 kB is loaded when the first page with an icon is drawn. */
export const useIcons = (page: Page): DrawContext['icon'] => {
  const hasIcon = page.elements.some(({ type }) => type === 'icon');
  const [icon, setIcon] = useState<DrawContext['icon']>(() => none);
  useEffect(() => {
    if (!hasIcon) return;
    let isGone = false;
    void import('../../../shared/design/drawings/icons.ts').then(({ iconOf }) => !isGone && setIcon(() => iconOf));
    return () => {
      isGone = true;
    };
  }, [hasIcon]);
  return icon;
};

const none = () => undefined;
