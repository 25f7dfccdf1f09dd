/**
 * Computes the licence notices that a package must contain, from the software that was found. Nothing is guessed:
 * software without a text, or with an undecided licence, is reported as a problem.
 */
import { objectionTo, requiresSource } from './accepted.ts';

export interface Text {
  /** File name of the licence text. */
  readonly title: string;
  readonly text: string;
}

/** An installed package. */
export interface Found {
  /** Path relative to the folder with node_modules. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** Licence as stated in the package.json of the package. */
  readonly licence: string | undefined;
  readonly texts: readonly Text[];
  /** Address of the source code; undefined if unknown. */
  readonly source: string | undefined;
  /** Hash from package-lock.json: `sha512-…`. */
  readonly integrity: string | undefined;
  readonly needs: readonly string[];
}

export type Kind = 'program' | 'library' | 'font' | 'package';

/** A part: third-party software that a package of Vitrine includes. */
export interface Part {
  readonly name: string;
  readonly version: string | undefined;
  readonly kind: Kind;
  readonly licence: string;
  readonly texts: readonly Text[];
  readonly source: string | undefined;
  /** Remark about the licence, shown to people in the notices. */
  readonly note: string | undefined;
  readonly purl: string;
  readonly integrity: string | undefined;
  /** Names of other parts that this part needs or contains. */
  readonly needs: readonly string[];
}

/** Facts about a package in addition to its own statements (known.ts). */
export interface Known {
  /** Complete licence of the package, if its package.json states no licence or only a part. */
  readonly licence?: string;
  /** Licence texts that replace the texts of the package. */
  readonly texts?: readonly Text[];
  /** The package's licence text is included up to this line. */
  readonly upTo?: string;
  /** Version of the package that the texts were taken from. Another version may have different texts. */
  readonly version?: string;
  readonly kind?: Kind;
  readonly note?: string;
  readonly source?: string;
  /** Third-party parts in the package that do not come from the registry. */
  readonly contains?: readonly Part[];
}

export interface Collected {
  readonly parts: readonly Part[];
  /** Error messages; empty when all notices are complete. */
  readonly problems: readonly string[];
}

const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;

const upTo = (text: string, line: string | undefined): string => {
  const at = line === undefined ? -1 : text.indexOf(line);
  return at < 0 ? text : text.slice(0, at).trimEnd();
};

const partOf = (found: Found, known: Known): Part => {
  const licence = known.licence ?? found.licence ?? '';
  return {
    name: found.name,
    version: found.version,
    kind: known.kind ?? (/^OFL-/.test(licence) ? 'font' : 'package'),
    licence,
    texts: known.texts ?? found.texts.map(({ title, text }) => ({ title, text: upTo(text, known.upTo) })),
    source: known.source ?? found.source,
    note: known.note,
    purl: purlOf(found.name, found.version),
    integrity: found.integrity,
    needs: [...found.needs, ...(known.contains ?? []).map(({ name }) => name)],
  };
};

const problemsOf = ({ name, version, licence, texts, source }: Part): string[] => {
  const what = `${name}${version === undefined ? '' : ` ${version}`}`;
  const objection = licence === '' ? 'does not say its licence' : objectionTo(licence, name);
  return [
    ...(objection ? [`${what} ${objection}.`] : []),
    ...(texts.some(({ text }) => text.trim() !== '')
      ? []
      : [`${what} brings no licence text: one has to be kept in build/licences/texts and named in known.ts.`]),
    ...(requiresSource(licence) && !source
      ? [`${what} is under ${licence}, and nothing says where its source is.`]
      : []),
  ];
};

/** @param others parts that are not packages, such as Node */
export const collect = (
  found: readonly Found[],
  known: (found: Found) => Known,
  others: readonly Part[] = [],
): Collected => {
  const problems: string[] = [];
  const parts = [...others];
  for (const each of found) {
    const more = known(each);
    if (more.version !== undefined && more.version !== each.version)
      problems.push(
        `${each.name} is ${each.version} here, and what build/licences/known.ts says of it was looked up for ${more.version}: look again.`,
      );
    parts.push(partOf(each, more), ...(more.contains ?? []));
  }
  const unique = [...new Map(parts.map((part) => [part.purl, part])).values()].sort(
    (a, b) => a.name.localeCompare(b.name, 'en') || (a.purl < b.purl ? -1 : 1),
  );
  return { parts: unique, problems: [...problems, ...unique.flatMap(problemsOf)] };
};
