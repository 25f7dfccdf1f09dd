/**
 * Draws a page of a design as SVG, for thumbnails. Places, sizes and colours come from the same code as on screens
 * (shared/design); only the output differs. Everything that comes from the document is a number, a checked colour, or
 * escaped text.
 */
import type { Rect } from '../../../shared/design/box.ts';
import { type Brand, colorIn, logoOf, type Palette } from '../../../shared/design/brand.ts';
import type { Page } from '../../../shared/design/design.ts';
import { clockText, countdownText } from '../../../shared/design/draw/clock-text.ts';
import type { DrawContext, DrawnNode } from '../../../shared/design/draw/context.ts';
import { logoText } from '../../../shared/design/draw/logo-text.ts';
import { qrDrawing } from '../../../shared/design/draw/qr.ts';
import { safeNodes } from '../../../shared/design/draw/safe-nodes.ts';
import { ICON_STROKE, SHADOW, SHAPES } from '../../../shared/design/draw/shapes.ts';
import { TILE, tileOf } from '../../../shared/design/drawings/patterns.ts';
import { PLACEHOLDER_BOX, placeholderNodes } from '../../../shared/design/drawings/placeholder.ts';
import type { Element } from '../../../shared/design/elements.ts';
import type { Fill, MediaRef } from '../../../shared/design/fills.ts';
import type { Size } from '../../../shared/design/page-formats.ts';
import { layoutOf } from '../../../shared/design/page-layout.ts';
import {
  countdownLayouter,
  plainLayouter,
  priceLayouter,
  type TextContext,
  tableLayouter,
  textLayouter,
} from './content-layout.ts';
import { type Fitted, fitted, type Layouter } from './flow.ts';
import { Ink } from './ink.ts';

/** A picture of the library at its place. The caller replaces it by an `<image>`, or by the drawing `instead`. */
export interface PictureUse {
  readonly contentId: string;
  readonly rect: Rect;
  readonly fit: 'fill' | 'fit';
  readonly focus: { readonly x: number; readonly y: number };
  readonly instead: string;
}
export type SvgPart = string | PictureUse;

export interface SvgContext extends Pick<DrawContext, 'icon' | 'qr' | 'locale' | 'timezone' | 'now'> {
  readonly brand: Brand;
  readonly palette: Palette;
  readonly text: TextContext;
  /** Pixels of the result per pixel of the page. */
  readonly scale: number;
  /** Whether the library has a picture of the content. */
  hasPicture(contentId: string): boolean;
}

type Of<T extends Element['type']> = Extract<Element, { type: T }>;
type Panel = Pick<Of<'text'>, 'fill' | 'radius' | 'padding' | 'shadow' | 'vertical'>;

const number = (value: number): string => String(Math.round(value * 100) / 100);
const box = ({ x, y, width, height }: Rect): string =>
  `x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}"`;

/** Number of shadows in a drawing. A blur of a whole page takes 50 ms, and only careless documents have more shadows. */
const MAX_SHADOWS = 12;
/** Number of tiles of patterns in a drawing. A whole page has 84. */
const MAX_TILES = 2_000;

const VERTICAL = { top: 0, middle: 0.5, bottom: 1 } as const;

const nodes = (found: readonly DrawnNode[]): string =>
  safeNodes(found)
    .map(([tag, attributes]) => `<${tag} ${attributesOf(attributes)}/>`)
    .join('');
const attributesOf = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => `${name}="${value.replace(/[<>&"]/g, '')}"`)
    .join(' ');

export class PageSvg {
  readonly #context: SvgContext;
  readonly #ink: Ink;
  readonly #unit: number;
  #ids = 0;
  #tileCount = 0;
  #shadowCount = 0;

  constructor(context: SvgContext, unit: number) {
    this.#context = context;
    this.#unit = unit;
    this.#ink = new Ink(context.scale);
  }

  element(element: Element, rect: Rect): SvgPart[] {
    const drawn = (this.#drawers[element.type] as (element: Element, rect: Rect) => SvgPart[])(element, rect);
    const turn =
      element.rotation === 0
        ? ''
        : ` transform="rotate(${element.rotation} ${number(rect.x + rect.width / 2)} ${number(rect.y + rect.height / 2)})"`;
    const opacity = element.opacity === 1 ? '' : ` opacity="${element.opacity}"`;
    return turn === '' && opacity === '' ? drawn : [`<g${turn}${opacity}>`, ...drawn, '</g>'];
  }

  fill(fill: Fill, rect: Rect): SvgPart[] {
    const color = (value: string): string => colorIn(this.#context.palette, value as never);
    switch (fill.kind) {
      case 'none':
        return [];
      case 'color':
        return [`<rect ${box(rect)} fill="${color(fill.color)}"/>`];
      case 'gradient': {
        const id = this.#id();
        // The line of a CSS gradient is so long that the corners have the pure colours.
        const angle = (fill.angle * Math.PI) / 180;
        const [dx, dy] = [Math.sin(angle), -Math.cos(angle)];
        const half = (Math.abs(rect.width * dx) + Math.abs(rect.height * dy)) / 2;
        const [cx, cy] = [rect.x + rect.width / 2, rect.y + rect.height / 2];
        const line = `x1="${number(cx - dx * half)}" y1="${number(cy - dy * half)}" x2="${number(cx + dx * half)}" y2="${number(cy + dy * half)}"`;
        return [
          `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" ${line}><stop stop-color="${color(fill.from)}"/><stop offset="1" stop-color="${color(fill.to)}"/></linearGradient>`,
          `<rect ${box(rect)} fill="url(#${id})"/>`,
        ];
      }
      case 'pattern': {
        const ground = `<rect ${box(rect)} fill="${color(fill.background)}"/>`;
        const tile = tileOf(fill.pattern, color(fill.color));
        if (tile === undefined) return [ground];
        return [ground, ...this.#clipped(rect, 0, [this.#tiles(tile, rect)])];
      }
      case 'media':
        return this.#media(fill.media, rect);
      default:
        return fill satisfies never;
    }
  }

  readonly #drawers: { readonly [T in Element['type']]: (element: Of<T>, rect: Rect) => SvgPart[] } = {
    text: (element, rect) => this.#text(element, rect, textLayouter(element, this.#context.text), element.overflow),
    price: (element, rect) => this.#text(element, rect, priceLayouter(element, this.#context.text)),
    table: (element, rect) => this.#text(element, rect, tableLayouter(element, this.#context.text)),
    clock: (element, rect) => {
      const lines = clockText(element, this.#context)(this.#context.now());
      return this.#text(element, rect, plainLayouter(lines, element, this.#context.text));
    },
    countdown: (element, rect) => {
      const content = countdownText(element, this.#context)(this.#context.now());
      return this.#text(element, rect, countdownLayouter(content, element, this.#context.text));
    },
    weather: (element, rect) =>
      this.#text(element, rect, plainLayouter([element.place_name], element, this.#context.text)),
    media: (element, rect) => {
      const radius = this.#radius(element.radius, rect);
      return [
        ...(element.shadow ? [this.#shadow(rect, radius)] : []),
        ...this.#clipped(rect, radius, this.#media(element.media, rect)),
      ];
    },
    shape: (element, rect) => this.#shape(element, rect),
    icon: (element, rect) => {
      const found = this.#context.icon(element.icon);
      if (!found) return [];
      const color = colorIn(this.#context.palette, element.color);
      const stroke = { ...ICON_STROKE, stroke: color };
      return [
        `<svg ${box(rect)} viewBox="0 0 24 24"><g ${attributesOf(stroke)} color="${color}">${nodes(found)}</g></svg>`,
      ];
    },
    qr: (element, rect) => {
      const code = element.value === '' ? undefined : this.#context.qr(element.value);
      if (!code) return [];
      const { palette } = this.#context;
      const drawing = qrDrawing(code, colorIn(palette, element.color), colorIn(palette, element.background));
      return [
        `<svg ${box(rect)} viewBox="${drawing.viewBox}" shape-rendering="crispEdges">${nodes(drawing.nodes)}</svg>`,
      ];
    },
    logo: (element, rect) => {
      const { brand } = this.#context;
      const id = logoOf(brand);
      if (id !== null && this.#context.hasPicture(id))
        return [{ contentId: id, rect, fit: 'fit', focus: { x: 0.5, y: 0.5 }, instead: '' }];
      const look = logoText(element, rect.height / this.#unit);
      return this.#text(look, rect, plainLayouter([brand.name], look, this.#context.text, true));
    },
  };

  #text(
    element: Panel & { readonly size: number },
    rect: Rect,
    layout: Layouter,
    overflow: 'shrink' | 'wrap' | 'cut' = 'shrink',
  ): SvgPart[] {
    const padding = element.padding * this.#unit;
    // A padding larger than the element leaves no room, as on screens.
    const area = {
      x: rect.x + padding,
      y: rect.y + padding,
      width: Math.max(rect.width - 2 * padding, 1),
      height: Math.max(rect.height - 2 * padding, 1),
    };
    const wanted = element.size * this.#unit;
    const found: Fitted =
      overflow === 'shrink'
        ? fitted(layout, area, wanted)
        : { em: wanted, laid: layout(area.width / wanted, wanted, true) };
    const free = area.height - found.laid.height * found.em;
    const seen = overflow === 'cut' ? area : rect;
    const ink = this.#ink.text(found, area.x, area.y + free * VERTICAL[element.vertical], seen);
    const radius = this.#radius(element.radius, rect);
    const leaves = found.laid.width * found.em > area.width + 1 || free < -1;
    const shown = leaves ? this.#clipped(seen, overflow === 'cut' ? 0 : radius, [ink]) : [ink];
    const fill = this.fill(element.fill, rect);
    return [
      ...(element.shadow ? [this.#shadow(rect, radius)] : []),
      ...(radius > 0 && fill.length > 0 ? this.#clipped(rect, radius, fill) : fill),
      ...shown,
    ];
  }

  /** Repeats a tile. A `<pattern>` is blurred by librsvg, so it serves only documents with very many patterns. */
  #tiles(tile: string, rect: Rect): string {
    const side = TILE * this.#unit;
    const [columns, rows] = [Math.ceil(rect.width / side), Math.ceil(rect.height / side)];
    this.#tileCount += columns * rows;
    if (this.#tileCount > MAX_TILES) {
      const id = this.#id();
      return `<pattern id="${id}" patternUnits="userSpaceOnUse" x="${number(rect.x)}" y="${number(rect.y)}" width="${number(side)}" height="${number(side)}" viewBox="0 0 ${TILE} ${TILE}">${tile}</pattern><rect ${box(rect)} fill="url(#${id})"/>`;
    }
    const places = Array.from({ length: columns * rows }, (_, i) => [
      number(rect.x + (i % columns) * side),
      number(rect.y + Math.floor(i / columns) * side),
    ]);
    return places
      .map(([x, y]) => `<g transform="translate(${x} ${y}) scale(${this.#unit.toFixed(4)})">${tile}</g>`)
      .join('');
  }

  #media(media: MediaRef, rect: Rect): SvgPart[] {
    const { palette } = this.#context;
    const placeholder = `<rect ${box(rect)} fill="${palette.second}"/><svg ${box(rect)} viewBox="${PLACEHOLDER_BOX}" preserveAspectRatio="xMidYMid slice">${nodes(placeholderNodes(palette))}</svg>`;
    const shown: SvgPart =
      media.content_id !== null && this.#context.hasPicture(media.content_id)
        ? { contentId: media.content_id, rect, fit: media.fit, focus: media.focus, instead: placeholder }
        : placeholder;
    if (media.overlay === null) return [shown];
    const color = colorIn(palette, media.overlay);
    return [shown, `<rect ${box(rect)} fill="${color}" opacity="${media.overlay_opacity}"/>`];
  }

  #shape(element: Of<'shape'>, rect: Rect): SvgPart[] {
    const { palette } = this.#context;
    const stroke = element.stroke * this.#unit;
    const strokeColor = colorIn(palette, element.stroke_color);
    const { shape } = element;
    if (shape === 'line') {
      const thick = Math.max(stroke, 1);
      const line =
        rect.height > rect.width
          ? { ...rect, x: rect.x + rect.width / 2 - thick / 2, width: thick }
          : { ...rect, y: rect.y + rect.height / 2 - thick / 2, height: thick };
      return [`<rect ${box(line)} fill="${strokeColor}"/>`];
    }
    if (shape !== 'rectangle' && shape !== 'ellipse') {
      const [tag, attributes] = SHAPES[shape];
      const fill = element.fill.kind === 'color' ? colorIn(palette, element.fill.color) : palette.primary;
      const aspect = shape === 'burst' ? 'xMidYMid meet' : 'none';
      return [
        `<svg ${box(rect)} viewBox="0 0 100 100" preserveAspectRatio="${aspect}">${nodes([[tag, { ...attributes, fill }]])}</svg>`,
      ];
    }
    // The outline lies within the element, as borders do.
    const width = Math.min(stroke, rect.width / 2, rect.height / 2);
    const inset = (by: number): Rect => ({
      x: rect.x + by,
      y: rect.y + by,
      width: Math.max(rect.width - 2 * by, 0),
      height: Math.max(rect.height - 2 * by, 0),
    });
    const radius = shape === 'ellipse' ? undefined : this.#radius(element.radius, rect);
    const rounded = (by: number): string => {
      const found = inset(by);
      const [rx, ry] =
        radius === undefined
          ? [found.width / 2, found.height / 2]
          : [Math.max(radius - by, 0), Math.max(radius - by, 0)];
      return `<rect ${box(found)} rx="${number(rx)}" ry="${number(ry)}"`;
    };
    const inside = this.fill(element.fill, inset(width));
    const id = this.#id();
    return [
      ...(inside.length === 0
        ? []
        : [`<clipPath id="${id}">${rounded(width)}/></clipPath><g clip-path="url(#${id})">`, ...inside, '</g>']),
      ...(width > 0
        ? [`${rounded(width / 2)} fill="none" stroke="${strokeColor}" stroke-width="${number(width)}"/>`]
        : []),
    ];
  }

  /** Returns the radius of corners in pixels. Corners that would overlap become smaller. */
  #radius(units: number | null, { width, height }: Size): number {
    return Math.min((units ?? this.#context.brand.radius) * this.#unit, width / 2, height / 2);
  }

  #clipped(rect: Rect, radius: number, parts: readonly SvgPart[]): SvgPart[] {
    if (parts.length === 0) return [];
    const id = this.#id();
    return [
      `<clipPath id="${id}"><rect ${box(rect)} rx="${number(radius)}"/></clipPath><g clip-path="url(#${id})">`,
      ...parts,
      '</g>',
    ];
  }

  /** A shadow around a rectangle. Its middle is left out, because a panel may be transparent. */
  #shadow(rect: Rect, radius: number): string {
    if (this.#shadowCount++ >= MAX_SHADOWS) return '';
    const [blur, hole] = [this.#id(), this.#id()];
    const em = SHADOW.em * this.#unit;
    const far = 3 * SHADOW.blur * em;
    const outer = `M${number(rect.x - far)} ${number(rect.y - far)}h${number(rect.width + 2 * far)}v${number(rect.height + 2 * far)}h${number(-rect.width - 2 * far)}z`;
    const [w, h, r] = [rect.width - 2 * radius, rect.height - 2 * radius, number(radius)];
    const inner = `M${number(rect.x + radius)} ${number(rect.y)}h${number(w)}a${r} ${r} 0 0 1 ${r} ${r}v${number(h)}a${r} ${r} 0 0 1 -${r} ${r}h${number(-w)}a${r} ${r} 0 0 1 -${r} -${r}v${number(-h)}a${r} ${r} 0 0 1 ${r} -${r}z`;
    const region = { x: rect.x - far, y: rect.y - far, width: rect.width + 2 * far, height: rect.height + 2 * far };
    return [
      `<clipPath id="${hole}"><path clip-rule="evenodd" d="${outer}${inner}"/></clipPath>`,
      // The blur of CSS is twice the standard deviation.
      `<filter id="${blur}" filterUnits="userSpaceOnUse" ${box(region)}><feGaussianBlur stdDeviation="${number((SHADOW.blur * em) / 2)}"/></filter>`,
      `<g clip-path="url(#${hole})"><rect ${box({ ...rect, y: rect.y + SHADOW.y * em })} rx="${number(radius)}" fill="#000" fill-opacity="${SHADOW.opacity}" filter="url(#${blur})"/></g>`,
    ].join('');
  }

  #id(): string {
    return `i${this.#ids++}`;
  }
}

/**
 * Returns the parts of the drawing.
 * @param size pixels of the page @param rendered pixels of the rendered drawing per pixel of the page
 */
export const pageSvg = (page: Page, size: Size, context: SvgContext, rendered: number): SvgPart[] => {
  const { unit, placed } = layoutOf(page, size);
  const drawing = new PageSvg(context, unit);
  const whole = { x: 0, y: 0, ...size };
  const [width, height] = [size.width * rendered, size.height * rendered];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="0 0 ${size.width} ${size.height}">`,
    `<rect ${box(whole)} fill="${context.palette.paper}"/>`,
    ...drawing.fill(page.background, whole),
    ...placed.flatMap(({ element, rect }) => drawing.element(element, rect)),
    '</svg>',
  ];
};
