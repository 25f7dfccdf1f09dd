/**
 * Draws a page of a design with the browser's own layout: absolutely placed boxes whose rectangles `layoutOf` computes.
 * The player, the admin window and previews use this code, so that they show the same picture.
 */

import type { Rect } from '../box.ts';
import { colorIn, logoOf } from '../brand.ts';
import type { Page } from '../design.ts';
import type { Element } from '../elements.ts';
import type { Fill } from '../fills.ts';
import type { PageFormat, Size } from '../page-formats.ts';
import { layoutOf } from '../page-layout.ts';
import { animate } from './animation.ts';
import { drawClock } from './clock.ts';
import type { DrawContext } from './context.ts';
import { box, span, styled, svg } from './dom.ts';
import { drawFill, drawMedia } from './fill.ts';
import { fitText } from './fit-text.ts';
import { logoText } from './logo-text.ts';
import { priceLines, RAISED } from './price.ts';
import { qrDrawing } from './qr.ts';
import { ICON_STROKE, SHADOW, SHAPES } from './shapes.ts';
import { tableOf } from './table.ts';
import { TABLE } from './table-style.ts';
import { paragraphsOf } from './text.ts';
import { COLUMN_GAP, FITTED_LINE_HEIGHT, HEADING_WEIGHT } from './text-style.ts';

/** A fault of the drawn page, for the checks before publishing (fit.ts). */
export interface DrawFault {
  readonly element: string;
  readonly kind: 'cut' | 'missing-media';
}

export interface DrawnPage {
  readonly root: HTMLElement;
  /** Chooses sizes of text. Called once the root is in the document and the fonts are loaded. */
  fit(): DrawFault[];
  /** Updates clocks and countdowns. Called about once a second. */
  tick(): void;
  /** Returns the box of the words of an element; undefined: the element has no words, or the page does not show it. */
  contentOf(elementId: string): HTMLElement | undefined;
}

type Part = {
  readonly node: HTMLElement | SVGElement;
  readonly fit?: () => boolean;
  readonly tick?: () => void;
  readonly content?: HTMLElement;
};
type Of<T extends Element['type']> = Extract<Element, { type: T }>;
type Drawers = {
  readonly [T in Element['type']]: (element: Of<T>, rect: Rect, unit: number, context: DrawContext) => Part;
};

const JUSTIFY = { top: 'flex-start', middle: 'center', bottom: 'flex-end' } as const;
/** Shadows do not depend on the size of text. */
const SHADOW_CSS = `0 ${SHADOW.y}em ${SHADOW.blur}em rgb(0 0 0 / ${SHADOW.opacity * 100}%)`;

/** Returns a box with fill, radius and padding, and the area within the padding, in which content is aligned. */
const panelOf = (
  element: {
    fill: Fill;
    radius: number | null;
    padding: number;
    shadow: boolean;
    vertical: 'top' | 'middle' | 'bottom';
  },
  unit: number,
  context: DrawContext,
): { readonly panel: HTMLElement; readonly area: HTMLElement } => {
  const radius = (element.radius ?? context.brand.radius) * unit;
  const panel = box({
    position: 'absolute',
    inset: '0',
    'border-radius': `${radius}px`,
    overflow: 'hidden',
    'box-shadow': element.shadow ? SHADOW_CSS : undefined,
    'font-size': `${SHADOW.em * unit}px`,
  });
  const fill = drawFill(element.fill, context, unit);
  if (fill) panel.append(fill);
  const area = box({
    position: 'absolute',
    inset: `${element.padding * unit}px`,
    display: 'flex',
    'flex-direction': 'column',
    'justify-content': JUSTIFY[element.vertical],
  });
  panel.append(area);
  return { panel, area };
};

/** Draws text-like content that becomes smaller until it fits. @param size largest size in units */
const fitted = (
  element: Parameters<typeof panelOf>[0] & {
    readonly size: number;
    readonly align: 'start' | 'center' | 'end';
    readonly color: string;
    readonly font: 'heading' | 'body' | null;
  },
  unit: number,
  context: DrawContext,
  content: readonly (Node | string)[],
  overflow: 'shrink' | 'wrap' | 'cut' = 'shrink',
): Part & { readonly content: HTMLElement } => {
  const { panel, area } = panelOf(element, unit, context);
  const inner = box(
    {
      'text-align': element.align,
      color: colorIn(context.palette, element.color as never),
      'font-family': context.fonts[element.font ?? 'heading'],
      'font-weight': HEADING_WEIGHT,
      'font-size': `${element.size * unit}px`,
      'line-height': FITTED_LINE_HEIGHT,
      // A word is never broken while the text can become smaller.
      'overflow-wrap': overflow === 'shrink' ? 'normal' : 'break-word',
      hyphens: 'manual',
      'min-width': 0,
    },
    ...content,
  );
  area.append(inner);
  if (overflow === 'cut') styled(area, { overflow: 'hidden' });
  const fit = (): boolean => {
    if (overflow === 'shrink') return fitText(inner, area, element.size * unit).fits;
    return inner.scrollHeight <= area.clientHeight + 1 && inner.scrollWidth <= area.clientWidth + 1;
  };
  return { node: panel, fit, content: inner };
};

const priceNodes = (element: Of<'price'>, context: DrawContext): Node[] =>
  priceLines(element, context.locale).map(({ parts, size, weight, lineHeight, opacity, isStruck }) =>
    box(
      {
        'font-size': size === 1 ? undefined : `${size}em`,
        'font-weight': weight,
        'text-decoration': isStruck ? 'line-through' : undefined,
        opacity,
        'white-space': 'nowrap',
        'font-variant-numeric': size === 1 ? 'tabular-nums' : undefined,
        'line-height': lineHeight,
      },
      ...parts.map(({ text, isRaised }) =>
        span(text, isRaised ? { 'font-size': `${RAISED.size}em`, 'vertical-align': `${RAISED.shift}em` } : {}),
      ),
    ),
  );

/** Returns the place of a line within its box: level in the middle of a wide box, upright in a tall box. */
const lineBox = ({ width, height }: Rect, thickness: number): Record<string, string | number> =>
  height > width
    ? { top: 0, bottom: 0, left: `${width / 2 - thickness / 2}px`, width: `${thickness}px` }
    : { left: 0, right: 0, top: `${height / 2 - thickness / 2}px`, height: `${thickness}px` };

const DRAWERS: Drawers = {
  text: (element, _rect, unit, context) => {
    const part = fitted(element, unit, context, paragraphsOf(element, context), element.overflow);
    if (element.columns > 1) styled(part.content, { columns: element.columns, 'column-gap': `${COLUMN_GAP}em` });
    return part;
  },
  media: (element, _rect, unit, context) => {
    const frame = box({
      position: 'absolute',
      inset: '0',
      overflow: 'hidden',
      'border-radius': `${(element.radius ?? context.brand.radius) * unit}px`,
      'box-shadow': element.shadow ? SHADOW_CSS : undefined,
      'font-size': `${SHADOW.em * unit}px`,
    });
    frame.append(drawMedia(element.media, context));
    return { node: frame };
  },
  shape: (element, rect, unit, context) => {
    const stroke = element.stroke * unit;
    const outline = stroke > 0 ? `${stroke}px solid ${colorIn(context.palette, element.stroke_color)}` : undefined;
    const { shape } = element;
    if (shape === 'line')
      return {
        node: box({
          position: 'absolute',
          ...lineBox(rect, Math.max(stroke, 1)),
          background: colorIn(context.palette, element.stroke_color),
        }),
      };
    const fill = drawFill(element.fill, context, unit);
    if (shape === 'rectangle' || shape === 'ellipse')
      return {
        node: box(
          {
            position: 'absolute',
            inset: '0',
            overflow: 'hidden',
            border: outline,
            'border-radius': shape === 'ellipse' ? '50%' : `${(element.radius ?? context.brand.radius) * unit}px`,
          },
          ...(fill ? [fill] : []),
        ),
      };
    const [tag, attributes] = SHAPES[shape];
    const color =
      element.fill.kind === 'color' ? colorIn(context.palette, element.fill.color) : context.palette.primary;
    const drawing = svg('0 0 100 100', [[tag, { ...attributes, fill: color }]]);
    drawing.setAttribute('preserveAspectRatio', shape === 'burst' ? 'xMidYMid meet' : 'none');
    return { node: drawing };
  },
  icon: (element, _rect, _unit, context) => {
    const nodes = context.icon(element.icon) ?? [];
    const drawing = svg('0 0 24 24', nodes, { color: colorIn(context.palette, element.color) });
    for (const [name, value] of Object.entries(ICON_STROKE)) drawing.setAttribute(name, value);
    return { node: drawing };
  },
  qr: (element, _rect, _unit, context) => {
    const code = element.value === '' ? undefined : context.qr(element.value);
    if (!code) return { node: box({}) };
    const { viewBox, nodes } = qrDrawing(
      code,
      colorIn(context.palette, element.color),
      colorIn(context.palette, element.background),
    );
    const drawing = svg(viewBox, nodes);
    drawing.setAttribute('shape-rendering', 'crispEdges');
    return { node: drawing };
  },
  countdown: (element, _rect, unit, context) =>
    drawClock.countdown(fitted(element, unit, context, []), element, context),
  clock: (element, _rect, unit, context) => drawClock.clock(fitted(element, unit, context, []), element, context),
  price: (element, _rect, unit, context) => fitted(element, unit, context, priceNodes(element, context)),
  logo: (element, rect, unit, context) => {
    const id = logoOf(context.brand);
    const found = id === null ? undefined : context.media(id);
    if (!found) {
      const part = fitted(logoText(element, rect.height / unit), unit, context, [context.brand.name]);
      styled(part.content, { 'white-space': 'nowrap' });
      return part;
    }
    const picture = styled(document.createElement('img'), {
      position: 'absolute',
      inset: '0',
      width: '100%',
      height: '100%',
      'object-fit': 'contain',
    });
    picture.src = found.url;
    picture.alt = context.brand.name;
    return { node: picture };
  },
  table: (element, _rect, unit, context) => {
    const part = fitted({ ...element, font: element.font ?? 'body' }, unit, context, [tableOf(element, context)]);
    styled(part.content, { 'font-weight': TABLE.weight });
    return part;
  },
  weather: (element, _rect, unit, context) => fitted(element, unit, context, [element.place_name]),
};

const draw = (element: Element, rect: Rect, unit: number, context: DrawContext): Part =>
  (DRAWERS[element.type] as (element: Element, rect: Rect, unit: number, context: DrawContext) => Part)(
    element,
    rect,
    unit,
    context,
  );

/**
 * Draws a page. The root has exactly the given size in pixels; nothing leaves it.
 * @param format another arrangement than the size has, for previews
 */
export const drawPage = (page: Page, size: Size, context: DrawContext, format?: PageFormat): DrawnPage => {
  const { unit, placed } = layoutOf(page, size, format);
  const root = box({
    position: 'relative',
    width: `${size.width}px`,
    height: `${size.height}px`,
    overflow: 'hidden',
    background: context.palette.paper,
    color: context.palette.ink,
  });
  const background = drawFill(page.background, context, unit);
  if (background) root.append(background);
  const parts = placed.map(({ element, rect }) => {
    const part = draw(element, rect, unit, context);
    const holder = box(
      {
        position: 'absolute',
        left: `${rect.x}px`,
        top: `${rect.y}px`,
        width: `${rect.width}px`,
        height: `${rect.height}px`,
        transform: element.rotation === 0 ? undefined : `rotate(${element.rotation}deg)`,
        opacity: element.opacity === 1 ? undefined : element.opacity,
      },
      part.node,
    );
    holder.dataset['element'] = element.id;
    root.append(holder);
    return { element, holder, part };
  });
  return {
    root,
    fit: () => {
      const faults: DrawFault[] = [];
      for (const { element, part } of parts)
        if (part.fit && !part.fit()) faults.push({ element: element.id, kind: 'cut' });
      if (context.isAnimated) for (const { element, holder } of parts) animate(holder, element, unit);
      return faults;
    },
    tick: () => {
      for (const { part } of parts) part.tick?.();
    },
    contentOf: (elementId) => parts.find(({ element }) => element.id === elementId)?.part.content,
  };
};
