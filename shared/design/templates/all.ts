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

interface TemplateOptions {
  /** BCP 47 */
  readonly language: string;
  /** ISO 4217 */
  readonly currency: string;
  /** Local minute for countdowns, some days ahead. */
  readonly until: string;
  /** Text of a QR code that the template gets if it has room for one. Default: the code of the task, or none. */
  readonly qr?: string;
}

/** Returns whether a shape has room for a QR code. */
const hasCode = (content: TemplateContent): content is Extract<TemplateContent, { readonly qr?: string }> =>
  content.shape === 'hero' || content.shape === 'statement' || content.shape === 'sign';

/** Returns the design of a template; undefined when there is no such task. */
export const templateDesign = (
  taskId: string,
  style: TemplateStyle,
  { language, currency, until, qr }: TemplateOptions,
): Design | undefined => {
  const task = TEMPLATE_TASKS.find(({ id }) => id === taskId);
  if (!task) return undefined;
  const pages = pagesOf(task, templateWords(language), { currency, until });
  return {
    ...{ format: 'vitrine-design', version: DESIGN_VERSION, template: false, style },
    pages: pages.map((content, i) => ({
      ...pageIn(STYLES[style], i === 0 && qr && hasCode(content) ? { ...content, qr } : content),
      id: `page-${i + 1}`,
    })),
  };
};

const pagesOf = (
  { make }: (typeof TEMPLATE_TASKS)[number],
  ...input: Parameters<typeof make>
): readonly TemplateContent[] => {
  const made = make(...input);
  return Array.isArray(made) ? made : [made as TemplateContent];
};

/** Returns whether the template of a task can have a QR code. */
export const hasRoomForCode = (taskId: string): boolean => {
  const task = TEMPLATE_TASKS.find(({ id }) => id === taskId);
  return task !== undefined && hasCode(pagesOf(task, templateWords('en'), { currency: 'EUR', until: '' })[0]!);
};
