/** Clocks and countdowns, by the shared clock and in the zone of the screen. */
import type { Element } from '../elements.ts';
import { COUNTDOWN, type CountdownContent, clockText, countdownText, SECOND_LINE } from './clock-text.ts';
import type { DrawContext } from './context.ts';
import { box } from './dom.ts';

type Of<T extends Element['type']> = Extract<Element, { type: T }>;
interface Fitted {
  readonly node: HTMLElement | SVGElement;
  readonly fit?: () => boolean;
  readonly content: HTMLElement;
}

const countdown = (part: Fitted, element: Of<'countdown'>, context: DrawContext) => {
  const contentAt = countdownText(element, context);
  let shown: CountdownContent | undefined;
  const tick = (): void => {
    const content = contentAt(context.now());
    if (content === shown) return;
    shown = content;
    if (typeof content === 'string') part.content.replaceChildren(content);
    else
      part.content.replaceChildren(
        box(
          {
            display: 'flex',
            gap: `${COUNTDOWN.gap}em`,
            'justify-content': { start: 'flex-start', center: 'center', end: 'flex-end' }[element.align],
          },
          ...content.map(([number, unit]) =>
            box(
              { 'text-align': 'center', 'font-variant-numeric': 'tabular-nums' },
              number,
              box({ 'font-size': `${COUNTDOWN.unitSize}em`, 'font-weight': COUNTDOWN.unitWeight }, unit),
            ),
          ),
        ),
      );
    part.fit?.();
  };
  tick();
  return { ...part, tick };
};

const clock = (part: Fitted, element: Of<'clock'>, context: DrawContext) => {
  const linesAt = clockText(element, context);
  let shown = '';
  const tick = (): void => {
    const lines = linesAt(context.now());
    if (shown === lines.join(' ')) return;
    shown = lines.join(' ');
    part.content.replaceChildren(
      ...lines.map((line, i) =>
        box(
          {
            'font-size': i === 0 ? undefined : `${SECOND_LINE.size}em`,
            'font-weight': i === 0 ? undefined : SECOND_LINE.weight,
          },
          line,
        ),
      ),
    );
    part.fit?.();
  };
  tick();
  return { ...part, tick };
};

export const drawClock = { clock, countdown };
