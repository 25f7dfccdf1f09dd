/** The page of a design on a screen: draws the pages of the document one after the other (shared/design/draw). */
import { paletteOf } from '../../../../shared/design/brand.ts';
import type { DrawContext } from '../../../../shared/design/draw/context.ts';
import { type DrawnPage, drawPage } from '../../../../shared/design/draw/draw-page.ts';
import { deviceZone, now, onClock, readJson, stage } from '../../widgets/pages/base.ts';
import type { DesignSettings } from '../design-page.ts';

/** Time to wait for files before the page is drawn with placeholders. */
const FILES_WITHIN_MS = 2_500;
/** Time to wait for fonts that have arrived. A weak board decodes one in 50 ms. */
const FONTS_WITHIN_MS = 1_000;
const SECOND_MS = 1_000;

const { settings } = readJson('page') as { readonly settings: DesignSettings };
const { design, brand, locale, icons, codes, videos } = settings;
const files = new Map<string, string>();

const context = (isAnimated: boolean): DrawContext => ({
  brand,
  palette: paletteOf(brand),
  fonts: settings.fonts,
  locale: locale ?? navigator.language,
  timezone: deviceZone(),
  media: (id) => {
    const url = files.get(id);
    return url === undefined ? undefined : { url, isVideo: videos.includes(id) };
  },
  icon: (name) => icons[name],
  qr: (text) => {
    const rows = codes[text];
    return rows && { size: rows.length, dark: (x, y) => rows[y]?.[x] === '1' };
  },
  now,
  isAnimated: isAnimated && !brand.reduced_motion,
});

let drawn: DrawnPage | undefined;
let at = 0;
let nextPage: ReturnType<typeof setTimeout> | undefined;

/** Resolves when all pictures of the page are decoded, so that no picture appears later than the others. */
const decoded = async (root: HTMLElement): Promise<void> => {
  await Promise.allSettled([...root.querySelectorAll('img')].map((picture) => picture.decode()));
};

/** @param starts whether the turn of the design has begun: entries run, and further pages follow */
const show = async (index: number, starts: boolean): Promise<void> => {
  at = index % design.pages.length;
  const page = design.pages[at]!;
  const next = drawPage(page, { width: innerWidth, height: innerHeight }, context(starts));
  // The new page is laid out above the old one, and replaces it when its pictures are decoded.
  next.root.style.position = 'absolute';
  next.root.style.inset = '0';
  next.root.style.visibility = 'hidden';
  stage.append(next.root);
  await decoded(next.root);
  next.root.style.visibility = '';
  next.fit();
  drawn?.root.remove();
  drawn = next;
  if (!starts || design.pages.length === 1) return;
  clearTimeout(nextPage);
  nextPage = setTimeout(() => void show(at + 1, true), page.duration_ms ?? settings.page_ms);
};

/**
 * Adds the fonts of the brand to the document. Text is measured while a page is drawn, so the fonts come first. A font
 * that cannot be read is left out, and a font that is late is drawn when it is decoded.
 */
const addFonts = async (lent: Readonly<Record<string, Blob>>): Promise<void> => {
  const added = Promise.allSettled(
    settings.faces.map(async ({ key, family, weight, range }) => {
      const blob = lent[key];
      if (!(blob instanceof Blob)) return;
      const face = new FontFace(family, await blob.arrayBuffer(), { weight, unicodeRange: range });
      document.fonts.add(await face.load());
    }),
  ).then(() => true);
  const late = new Promise<false>((resolve) => setTimeout(resolve, FONTS_WITHIN_MS, false));
  if (!(await Promise.race([added, late]))) void added.then(() => show(at, false));
};

let isReported = false;
const report = (): void => {
  if (isReported) return;
  isReported = true;
  parent.postMessage({ type: 'vitrine:shows', missing: null }, '*');
};

let withoutFiles: ReturnType<typeof setTimeout> | undefined;
const receive = async (lent: Readonly<Record<string, Blob>>): Promise<void> => {
  clearTimeout(withoutFiles);
  for (const id of settings.media) {
    const blob = lent[id];
    if (blob instanceof Blob && !files.has(id)) files.set(id, URL.createObjectURL(blob));
  }
  await addFonts(lent);
  await show(at, false);
  report();
};

addEventListener(
  'message',
  ({ data, source }: MessageEvent<{ type?: string; files?: Record<string, Blob> } | null>) => {
    if (source !== parent) return;
    if (data?.type === 'vitrine:files' && data.files) void receive(data.files);
    if (data?.type === 'vitrine:turn') void show(0, true);
  },
);
addEventListener('resize', () => void show(at, false));
onClock(() => drawn?.tick());
setInterval(() => drawn?.tick(), SECOND_MS);

const begin = async (): Promise<void> => {
  // The embedded fonts. Browsers decode a font only when text needs it, and then the first text is measured without it.
  await Promise.allSettled([...document.fonts].map((face) => face.load()));
  if (settings.media.length + settings.faces.length === 0) {
    await show(0, false);
    report();
  } else withoutFiles = setTimeout(() => void show(at, false).then(report), FILES_WITHIN_MS);
  parent.postMessage({ type: 'vitrine:ready' }, '*');
};
void begin();
