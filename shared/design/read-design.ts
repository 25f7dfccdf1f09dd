/** Reads a document of any landed version. Everything that takes a design from outside calls this function. */

import { DESIGN_VERSION, Design, MAX_DESIGN_BYTES } from './design.ts';
import type { Element } from './elements.ts';
import { plainText } from './rich-text.ts';

export type ReadDesign = { readonly design: Design } | { readonly refused: string };

/** Steps from one version of the format to the next. A step gets a document of its version as plain JSON. */
const UPGRADES: Readonly<Record<number, (document: Record<string, unknown>) => Record<string, unknown>>> = {};

/** Error for a document of more than {@link MAX_DESIGN_BYTES}. */
export const tooLarge = `The design is larger than ${MAX_DESIGN_BYTES / 1024} kB. Use fewer elements or shorter texts.`;
export { MAX_DESIGN_BYTES };

const refused = (sentence: string): ReadDesign => ({ refused: sentence });

/** Names the place of a fault for people: `Page 1, element "price"`. */
const placeOf = (document: unknown, path: readonly PropertyKey[]): string => {
  const [pages, page, elements, index, ...rest] = path;
  if (pages !== 'pages' || typeof page !== 'number') return path.length > 0 ? path.join('.') : 'The document';
  const at = `Page ${page + 1}`;
  if (elements !== 'elements' || typeof index !== 'number') return [at, ...path.slice(2)].join(', ');
  const found = (document as { pages?: { elements?: { id?: unknown }[] }[] }).pages?.[page]?.elements?.[index];
  const id = typeof found?.id === 'string' ? `element "${found.id.slice(0, 40)}"` : `element ${index + 1}`;
  return [at, id, ...(rest.length > 0 ? [rest.join('.')] : [])].join(', ');
};

/** Returns the design, or a sentence that names the element and what is wrong. @param text JSON */
export const readDesign = (text: string): ReadDesign => {
  if (text.length > MAX_DESIGN_BYTES) return refused(tooLarge);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return refused('The design is damaged: it is not valid JSON. Export it again.');
  }
  let current = document as Record<string, unknown>;
  let version = Number((current as { version?: unknown } | null)?.version);
  if (version > DESIGN_VERSION)
    return refused('The design was made by a newer version of Vitrine. Update this server, then try again.');
  for (; UPGRADES[version]; version++) current = { ...UPGRADES[version]!(current), version: version + 1 };
  const parsed = Design.safeParse(current);
  if (parsed.success) return { design: parsed.data };
  const [issue] = parsed.error.issues;
  return refused(`${placeOf(current, issue!.path)}: ${issue!.message}.`);
};

/** Returns the ids of the contents that a design shows, each once. The logo belongs to the brand. */
export const mediaOf = ({ pages }: Design): string[] => {
  const found = new Set<string>();
  const add = (fill: { kind: string; media?: { content_id: string | null } } | undefined): void => {
    if (fill?.kind === 'media' && fill.media?.content_id) found.add(fill.media.content_id);
  };
  for (const page of pages) {
    add(page.background);
    for (const element of page.elements) {
      if ('fill' in element) add(element.fill);
      if (element.type === 'media' && element.media.content_id) found.add(element.media.content_id);
    }
  }
  return [...found];
};

/** Returns a copy of a design with other contents: used by copies, imports and campaigns. */
export const withMedia = (design: Design, newIdOf: (contentId: string) => string | null): Design =>
  JSON.parse(JSON.stringify(design), (key, value: unknown) =>
    key === 'content_id' && typeof value === 'string' ? newIdOf(value) : value,
  ) as Design;

/** Returns the words of an element, for search and for the check of dates. */
export const wordsOf = (element: Element): string => {
  switch (element.type) {
    case 'text':
      return plainText(element.text);
    case 'table':
      return element.rows.map(({ cells, note }) => [...cells, note].filter(Boolean).join(' ')).join('\n');
    case 'qr':
      return element.value;
    default:
      return '';
  }
};
