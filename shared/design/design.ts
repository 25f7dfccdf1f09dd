/**
 * A design: a document of pages and elements that Vitrine draws on screens of any shape. It is the file of a content of
 * the type `DESIGN_TYPE` (design-type.ts), stored and hashed like a picture. A document is untrusted: it contains no markup, no
 * script and no address, names pictures and clips of the library by the id of their content, and has limits for every
 * size and count. Documents of any landed version open for ever (upgrade.ts).
 */
import { z } from 'zod';
import { Box } from './box.ts';
import { Element } from './elements.ts';
import { Fill } from './fills.ts';
import { LayoutNode } from './layout-tree.ts';
import { PAGE_FORMATS } from './page-formats.ts';

/** Version of the format. A change that an older version of Vitrine cannot draw increases the number. */
export const DESIGN_VERSION = 1;
/** Largest document in bytes. A menu of three pages with a hundred dishes takes about 60 kB. */
export const MAX_DESIGN_BYTES = 512 * 1024;
export const MAX_PAGES = 20;
export const MAX_ELEMENTS = 200;

/** Id of a page or an element, unique in its document. */
export const ElementId = z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be 1 to 40 characters of a–z, 0–9 and -');

/** Boxes of elements that a person has moved in one format, by the id of the element. */
const Arrangement = z.record(ElementId, z.object({ box: Box.optional(), hidden: z.boolean().optional() }));

export const Page = z.object({
  id: ElementId,
  background: Fill,
  /** Elements from back to front. */
  elements: z.array(Element).max(MAX_ELEMENTS, `must have at most ${MAX_ELEMENTS} elements`),
  /** Places elements by rules in every format. An element that is not in the tree is placed by its `place`. */
  layout: LayoutNode.nullable(),
  /** Manual arrangements. They take precedence over rules, in their format only. */
  arrangements: z.partialRecord(z.enum(PAGE_FORMATS), Arrangement),
  /** Duration of this page in milliseconds when a design has several; null: an equal share of the play. */
  duration_ms: z.number().int().min(1_000).max(86_400_000).nullable(),
});
export type Page = z.infer<typeof Page>;

export const Design = z
  .object({
    format: z.literal('vitrine-design'),
    version: z.literal(DESIGN_VERSION),
    pages: z.array(Page).min(1, 'must have a page').max(MAX_PAGES, `must have at most ${MAX_PAGES} pages`),
    /** Whether the design is a template of the workspace, from which people make designs. */
    template: z.boolean(),
    /** Style family of the template that the design was made from; null: none. */
    style: z.string().max(40).nullable(),
  })
  .check(({ value, issues }) => {
    for (const [p, page] of value.pages.entries()) {
      const ids = new Set<string>();
      for (const [e, { id }] of page.elements.entries()) {
        if (ids.has(id))
          issues.push({
            code: 'custom',
            input: id,
            path: ['pages', p, 'elements', e, 'id'],
            message: `is used by two elements of the page: ${id}`,
          });
        ids.add(id);
      }
    }
  });
export type Design = z.infer<typeof Design>;
