/**
 * Licences that third-party software in a package of Vitrine may have. Any other licence needs a decision and a line
 * here.
 */

/** SPDX names of licences that require at most a notice. */
const ACCEPTED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'bzip2-1.0.6',
  'CC0-1.0',
  'CC-BY-4.0',
  'FTL',
  'HPND',
  'IJG',
  'ISC',
  'libpng-2.0',
  'libtiff',
  'MIT',
  'MIT-0',
  'MPL-1.1',
  'MPL-2.0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
  'Zlib',
  'blessing',
]);

/**
 * Licences that require more than a notice. They are allowed only for separate programs and libraries that can be
 * exchanged, with the address of their source, and never for code that is bundled into ours.
 */
const ACCEPTED_FOR: readonly (readonly [licence: string, name: RegExp])[] = [
  [
    'LGPL-3.0-or-later',
    /^@img\/sharp-(libvips|win32)-|^(fribidi|glib|libexif|libheif|librsvg|libvips|pango|proxy-libintl)$/,
  ],
  // GPL version 2 with two exceptions: for documents, and for programs that contain the fonts.
  ['LicenseRef-Liberation', /^Liberation Sans$/],
  ['GPL-3.0-or-later', /^ffmpeg(-static)?$/],
];

/** Licences under which recipients may ask for the source. */
const ASKS_FOR_SOURCE = /^(MPL|LGPL|GPL)-|^LicenseRef-Liberation$/;

type Term = { readonly id: string } | { readonly op: 'AND' | 'OR'; readonly terms: readonly Term[] };

/**
 * Parses an SPDX expression; `AND` binds more tightly than `OR`.
 * @returns undefined for anything else, such as "SEE LICENSE IN …"
 */
export const parseExpression = (text: string): Term | undefined => {
  const words = text.match(/\(|\)|[\w.+-]+/g) ?? [];
  if (words.join('') !== text.replace(/\s+/g, '')) return undefined;
  let at = 0;
  const one = (): Term | undefined => {
    const word = words[at++];
    if (word === '(') {
      const inner = any();
      return words[at++] === ')' ? inner : undefined;
    }
    return word === undefined || /^(AND|OR|WITH|\))$/.test(word) ? undefined : { id: word };
  };
  const chain = (op: 'AND' | 'OR', next: () => Term | undefined) => (): Term | undefined => {
    const terms = [next()];
    while (words[at] === op) {
      at++;
      terms.push(next());
    }
    if (terms.some((term) => term === undefined)) return undefined;
    return terms.length === 1 ? terms[0] : { op, terms: terms as Term[] };
  };
  const all = chain('AND', one);
  const any = chain('OR', all);
  const read = any();
  return at === words.length ? read : undefined;
};

const idsOf = (term: Term): string[] => ('id' in term ? [term.id] : term.terms.flatMap(idsOf));

/** @returns the objection to a licence, as the end of a sentence; undefined when there is none */
export const objectionTo = (licence: string, name: string): string | undefined => {
  const term = parseExpression(licence);
  if (!term) return `says of its licence "${licence}", which is no expression of SPDX`;
  const accepts = (part: Term): boolean => {
    if ('id' in part)
      return ACCEPTED.has(part.id) || ACCEPTED_FOR.some(([id, names]) => id === part.id && names.test(name));
    return part.op === 'OR' ? part.terms.some(accepts) : part.terms.every(accepts);
  };
  return accepts(term) ? undefined : `is under ${licence}, which build/licences/accepted.ts does not accept`;
};

/** Returns whether an SPDX name is in the lists above. */
export const isKnown = (id: string): boolean => ACCEPTED.has(id) || ACCEPTED_FOR.some(([other]) => other === id);

export const requiresSource = (licence: string): boolean => {
  const term = parseExpression(licence);
  return term !== undefined && idsOf(term).some((id) => ASKS_FOR_SOURCE.test(id));
};
