/** A template: pages made with words in the language of the workspace, from which people make their designs. */
import type { Page } from '../design.ts';

export const TEMPLATE_STYLES = ['bold', 'photo', 'calm', 'paper'] as const;
export type TemplateStyle = (typeof TEMPLATE_STYLES)[number];

export const TEMPLATE_TASKS = ['offer', 'menu', 'hours', 'welcome', 'notice'] as const;
export type TemplateTask = (typeof TEMPLATE_TASKS)[number];

/** Example words of templates, in the language of the workspace. */
export interface TemplateWords {
  readonly currency: string;
  readonly thisWeek: string;
  readonly article: string;
  readonly articleNote: string;
  readonly menu: string;
  readonly dishes: readonly (readonly [name: string, note: string, price: string])[];
  readonly openingHours: string;
  readonly days: readonly (readonly [day: string, hours: string])[];
}

export interface Template {
  readonly id: string;
  readonly task: TemplateTask;
  readonly style: TemplateStyle;
  readonly make: (words: TemplateWords) => Page[];
}
