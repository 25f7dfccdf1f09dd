/** All templates: every task in every style. */
import type { Design } from '../design.ts';
import { DESIGN_VERSION } from '../design.ts';
import { bold } from './styles/bold.ts';
import { calm } from './styles/calm.ts';
import { photo } from './styles/photo.ts';
import { playful } from './styles/playful.ts';
import { TEMPLATE_TASKS } from './tasks.ts';
import { pageIn, type Style, type TemplateContent, type TemplateStyle } from './template.ts';
import { templateWords } from './words.ts';

const STYLES: Readonly<Record<TemplateStyle, Style>> = { bold, photo, calm, playful };

/**
 * Returns the design of a template; undefined when there is no such task.
 * @param options.until local minute for countdowns, some days ahead
 */
export const templateDesign = (
  taskId: string,
  style: TemplateStyle,
  { language, currency, until }: { readonly language: string; readonly currency: string; readonly until: string },
): Design | undefined => {
  const task = TEMPLATE_TASKS.find(({ id }) => id === taskId);
  if (!task) return undefined;
  const made = task.make(templateWords(language), { currency, until });
  const pages = (Array.isArray(made) ? made : [made]) as readonly TemplateContent[];
  return {
    ...{ format: 'vitrine-design', version: DESIGN_VERSION, template: false, style },
    pages: pages.map((content, i) => ({ ...pageIn(STYLES[style], content), id: `page-${i + 1}` })),
  };
};
