/** Draws templates in a browser and measures what people would notice. Built by Vite for design-templates.test.ts. */
import { type Brand, DEFAULT_BRAND, paletteOf } from '../../../shared/design/brand.ts';
import type { Design } from '../../../shared/design/design.ts';
import type { DrawContext } from '../../../shared/design/draw/context.ts';
import { drawPage } from '../../../shared/design/draw/draw-page.ts';
import { FORMAT_SIZES, PAGE_FORMATS, type PageFormat } from '../../../shared/design/page-formats.ts';
import { templateDesign } from '../../../shared/design/templates/all.ts';
import { TEMPLATE_TASKS } from '../../../shared/design/templates/tasks.ts';
import { TEMPLATE_STYLES, type TemplateStyle } from '../../../shared/design/templates/template.ts';

/** Smallest text that may be shown, as a share of the shorter side of the screen. */
const MIN_TEXT = 0.02;
/** Browsers round boxes to whole pixels. */
const ROUNDING_PX = 2;
/** Share of the height of a line that two texts may have in common: descenders of one line, accents of the next. */
const LINE_OVERLAP = 0.25;

export type Words = { readonly [name: string]: (text: string) => string };
const repeated = (text: string, length: number): string =>
  text === '' ? '' : Array.from({ length: Math.ceil(length) }, (_, i) => text[i % text.length]).join('');

/** Changes of the words of a template. Each keeps about the length, except for the lengths themselves. */
export const WORDS: Words = {
  as: (text) => text,
  half: (text) => text.slice(0, Math.ceil(text.length / 2)),
  // Words are repeated with a space, because nobody writes words of eighty letters.
  longer: (text) => (text.length < 4 ? text : `${text} ${text} ${text.slice(0, text.length / 2)}`),
  polish: (text) => repeated('Zażółć gęślą jaźń w sobotę ', text.length).trim(),
  arabic: (text) => repeated('أهلا وسهلا بكم في متجرنا ', text.length).trim(),
  chinese: (text) => repeated('欢迎光临本店今日特价新品上市', text.length / 2),
  emoji: (text) => `${text} 🥐☕`,
};

const BRANDS: readonly Partial<Brand>[] = [
  {},
  { primary: '#B3123B', accent: '#FFE14D', paper: '#FFF7F0' },
  { primary: '#E8DFD0', accent: '#1F6F54', paper: '#FFFFFF', second: '#D9A441' },
];
export const BRAND_COUNT = BRANDS.length;

const UNTIL = '2026-12-05T18:00';
const NOW = Date.parse('2026-11-28T12:00:00Z');

const contextOf = (brand: Brand): DrawContext => ({
  brand: { ...brand, name: 'Bistro Anna' },
  palette: paletteOf(brand),
  fonts: { heading: 'Inter', body: 'Inter' },
  locale: 'de-AT',
  timezone: 'Europe/Vienna',
  media: () => undefined,
  icon: () => [['circle', { cx: '12', cy: '12', r: '9' }]],
  qr: () => ({ size: 21, dark: (x, y) => (x * 7 + y * 13) % 3 === 0 }),
  now: () => NOW,
  isAnimated: false,
});

/** Returns the design with changed words. Prices, codes and dates stay. */
const withWords = (design: Design, change: (text: string) => string): Design => ({
  ...design,
  pages: design.pages.map((page) => ({
    ...page,
    elements: page.elements.map((element) => {
      if (element.type === 'text')
        return {
          ...element,
          text: element.text.map((paragraph) => ({
            ...paragraph,
            runs: paragraph.runs.map((run) => ({ ...run, text: change(run.text) })),
          })),
        };
      if (element.type !== 'table') return element;
      return {
        ...element,
        rows: element.rows.map((row) => ({
          ...row,
          cells: row.cells.map((cell, c) =>
            element.columns[c]?.kind === 'price' && !row.heading ? cell : change(cell),
          ),
          note: change(row.note),
        })),
      };
    }),
  })),
});

interface Line {
  readonly element: string;
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly size: number;
  readonly color: string;
}

/** Returns the lines of text on the page, with their places. */
const linesIn = (root: HTMLElement): Line[] => {
  const lines: Line[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const { x: left, y: top } = root.getBoundingClientRect();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.textContent?.replaceAll('\u200b', '').trim() === '') continue;
    const parent = node.parentElement!;
    const style = getComputedStyle(parent);
    const element = parent.closest<HTMLElement>('[data-element]')?.dataset['element'] ?? '';
    range.selectNodeContents(node);
    for (const { x, y, width, height } of range.getClientRects())
      lines.push({
        ...{ element, text: node.textContent!.slice(0, 40), x: x - left, y: y - top, width, height },
        ...{ size: Number.parseFloat(style.fontSize), color: style.color },
      });
  }
  return lines;
};

const overlap = (a: Line, b: Line): boolean => {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > ROUNDING_PX && height > LINE_OVERLAP * Math.min(a.size, b.size);
};

/** Draws one page in the document and returns what is wrong with it. */
const faultsOf = (design: Design, page: number, format: PageFormat, brand: Brand): string[] => {
  const size = FORMAT_SIZES[format];
  const drawn = drawPage(design.pages[page]!, size, contextOf(brand));
  document.body.replaceChildren(drawn.root);
  const faults = drawn.fit().map(({ element, kind }) => `${element}: ${kind}`);
  const lines = linesIn(drawn.root);
  for (const [i, line] of lines.entries()) {
    if (
      line.x < -ROUNDING_PX ||
      line.y < -ROUNDING_PX ||
      line.x + line.width > size.width + ROUNDING_PX ||
      line.y + line.height > size.height + ROUNDING_PX
    )
      faults.push(`${line.element}: “${line.text}” leaves the page`);
    if (line.size < MIN_TEXT * Math.min(size.width, size.height))
      faults.push(`${line.element}: “${line.text}” is only ${line.size.toFixed(1)} px high`);
    const other = lines.slice(i + 1).find((next) => next.element !== line.element && overlap(line, next));
    if (other) faults.push(`${line.element}: “${line.text}” covers ${other.element}: “${other.text}”`);
  }
  return [...new Set(faults)];
};

const designOf = (task: string, style: TemplateStyle, language: string): Design =>
  templateDesign(task, style, { language, currency: 'EUR', until: UNTIL })!;

/** Returns the faults of all templates of a style, in all formats, with changed words. Empty: none. */
export const faultsWith = (style: TemplateStyle, words: keyof Words & string, language: string): string[] =>
  TEMPLATE_TASKS.flatMap(({ id }) => {
    const design = withWords(designOf(id, style, language), WORDS[words]!);
    return design.pages.flatMap((_, page) =>
      PAGE_FORMATS.flatMap((format) =>
        faultsOf(design, page, format, DEFAULT_BRAND).map((fault) => `${style} ${id} ${format} ${words}: ${fault}`),
      ),
    );
  });

/** Scale of a contact sheet. */
const SCALE = 0.14;

/**
 * Draws a contact sheet: a row per template, a column per format. Returns the lines of text in pixels of the sheet.
 * @param brand index of a brand; `tone`: light or dark
 */
export const drawSheet = (
  style: TemplateStyle,
  brand: number,
  tone: 'light' | 'dark',
  language: string,
  tasks: readonly string[] = TEMPLATE_TASKS.map(({ id }) => id),
): (Line & { readonly page: string })[] => {
  const shown: Brand = { ...DEFAULT_BRAND, ...BRANDS[brand], tone };
  const lines: (Line & { page: string })[] = [];
  document.body.replaceChildren();
  for (const id of tasks) {
    const row = document.createElement('div');
    row.style.cssText = 'display:flex;gap:8px;align-items:flex-start;padding:4px';
    document.body.append(row);
    for (const format of PAGE_FORMATS) {
      const size = FORMAT_SIZES[format];
      const holder = document.createElement('div');
      holder.style.cssText = `width:${size.width * SCALE}px;height:${size.height * SCALE}px;overflow:hidden;flex:none;position:relative`;
      const drawn = drawPage(designOf(id, style, language).pages[0]!, size, contextOf(shown));
      Object.assign(drawn.root.style, { transform: `scale(${SCALE})`, transformOrigin: '0 0', position: 'absolute' });
      holder.append(drawn.root);
      row.append(holder);
      drawn.fit();
    }
  }
  for (const holder of document.querySelectorAll<HTMLElement>('body > div > div')) {
    const { x, y } = holder.getBoundingClientRect();
    const row = holder.parentElement!;
    const id = tasks[[...document.body.children].indexOf(row)]!;
    const format = PAGE_FORMATS[[...row.children].indexOf(holder)]!;
    for (const line of linesIn(holder))
      lines.push({ ...line, x: line.x + x, y: line.y + y + scrollY, page: `${style} ${id} ${format}` });
  }
  return lines;
};

/** Makes all text of the sheet invisible, so that a picture shows what is behind it. */
export const hideText = (): void => {
  for (const node of document.querySelectorAll<HTMLElement>('body *')) node.style.color = 'transparent';
};

export { TEMPLATE_STYLES };
