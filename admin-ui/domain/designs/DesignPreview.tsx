import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Brand, paletteOf } from '../../../shared/design/brand.ts';
import type { Design } from '../../../shared/design/design.ts';
import type { DrawContext } from '../../../shared/design/draw/context.ts';
import { drawPage } from '../../../shared/design/draw/draw-page.ts';
import { stacksOf } from '../../../shared/design/fonts.ts';
import { FORMAT_SIZES, type PageFormat, type Size } from '../../../shared/design/page-formats.ts';
import { mediaOf } from '../../../shared/design/read-design.ts';
import { useScale } from '../../components/hooks/useScale.ts';
import './DesignPreview.css';
import { loadFontsOf } from './brandFonts.ts';
import { useDesignMedia } from './useDesignMedia.ts';
import { useIcons } from './useIcons.ts';
import { useQrCodes } from './useQrCodes.ts';

/** The rules of the player page that concern drawings (server/features/widgets/pages/base.css). */
const PAGE_RULES =
  "*{box-sizing:border-box;margin:0;padding:0}:host{line-height:1.25;font-feature-settings:'cv11','ss03';text-rendering:optimizeLegibility;user-select:none}td,th{overflow-wrap:break-word}";
/** Pixels by which the scaled drawing is wider than its box. */
const COVER_PX = 0.5;

/**
 * Returns the scale of a drawing in a box: half a pixel larger than the box, so that rounding leaves no line of the
 * background free at an edge.
 * @param width pixels of the page
 */
export const coveringScale = (scale: number, width: number): number => scale + COVER_PX / width;
/** Distance in pixels from the visible area at which a preview is drawn. */
const AHEAD_PX = 300;

type DesignPreviewProps = {
  design: Design;
  /** Index of the page; the first if there is no such page. */
  page?: number;
  /** Format, or size in pixels of a screen or zone. The arrangement follows from the size. */
  size: PageFormat | Size;
  brand: Brand;
  /** Text for screen readers; empty if text beside the picture says the same. */
  label: string;
  /** Adds icons, and pictures that are not in the library. Other pictures are thumbnails of the library. */
  resolve?: Partial<Pick<DrawContext, 'media' | 'icon'>>;
};

/**
 * A still picture of a page of a design: the drawing of the player page, scaled to the width of its box. Entries and
 * zooms do not run. The page is drawn when it is near the visible area.
 */
export function DesignPreview({ design, page = 0, size, brand, label, resolve }: DesignPreviewProps) {
  const box = useRef<HTMLDivElement>(null);
  const { width, height } = typeof size === 'string' ? FORMAT_SIZES[size] : size;
  const scale = useScale(box, width);
  const isNear = useIsNear(box);
  return (
    <div
      className="design-preview"
      ref={box}
      style={{ aspectRatio: `${width} / ${height}`, background: paletteOf(brand).paper }}
      {...(label === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {isNear && scale > 0 && (
        <Drawing
          {...{ design, page: design.pages[page] ?? design.pages[0]!, width, height, scale, brand }}
          {...(resolve && { resolve })}
        />
      )}
    </div>
  );
}

type DrawingProps = Pick<DesignPreviewProps, 'design' | 'brand' | 'resolve'> &
  Size & { page: Design['pages'][number]; scale: number };

function Drawing({ design, page, width, height, scale, brand, resolve }: DrawingProps) {
  const { i18n } = useTranslation();
  const host = useRef<HTMLDivElement>(null);
  const { logo_content_id: logo, logo_dark_content_id: darkLogo } = brand;
  const own = resolve?.media;
  const ids = useMemo(
    () => [...new Set([...mediaOf(design), logo, darkLogo])].filter((id) => id !== null && !own?.(id)) as string[],
    [design, logo, darkLogo, own],
  );
  const thumbnails = useDesignMedia(ids);
  const qr = useQrCodes(page);
  const media = useCallback((id: string) => own?.(id) ?? thumbnails(id), [own, thumbnails]);
  const icons = useIcons(page);
  const icon = resolve?.icon ?? icons;
  useLayoutEffect(() => {
    const root = shadowOf(host.current!);
    const drawn = drawPage(
      page,
      { width, height },
      {
        brand,
        palette: paletteOf(brand),
        fonts: stacksOf(brand),
        locale: i18n.language,
        timezone: undefined,
        media,
        icon,
        qr,
        now: Date.now,
        isAnimated: false,
      },
    );
    root.replaceChildren(drawn.root);
    drawn.fit();
    let isGone = false;
    void loadFontsOf([page], brand).then(() => !isGone && drawn.fit());
    return () => {
      isGone = true;
    };
  }, [page, width, height, brand, media, icon, qr, i18n.language]);
  const transform = `scale(${coveringScale(scale, width)})`;
  return <div className="design-preview-page" ref={host} style={{ width, height, transform }} />;
}

let rules: CSSStyleSheet | undefined;
const roots = new WeakMap<Element, ShadowRoot>();
/**
 * Returns the shadow root of an element. The styles of the window do not apply in it. It is closed, because the texts of
 * a picture are not texts of the window, for example for checks of contrast.
 */
const shadowOf = (element: HTMLElement): ShadowRoot => {
  const known = roots.get(element);
  if (known) return known;
  const root = element.attachShadow({ mode: 'closed' });
  roots.set(element, root);
  if (!rules) {
    rules = new CSSStyleSheet();
    rules.replaceSync(PAGE_RULES);
  }
  root.adoptedStyleSheets = [rules];
  return root;
};

/** Returns whether the element is or was near the visible area. */
const useIsNear = (box: React.RefObject<HTMLElement | null>): boolean => {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (isNear || !box.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNear(true),
      { rootMargin: `${AHEAD_PX}px` },
    );
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [box, isNear]);
  return isNear;
};
