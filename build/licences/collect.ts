/**
 * From what was found inside to what has to be said of it. Nothing is guessed: whatever has no text, or a licence
 * nobody has decided on, is a problem that names it.
 */
import { asksForSource, objectionTo } from './accepted.ts';

export interface Text {
  /** The file it is from. */
  readonly title: string;
  readonly text: string;
}

/** A package as it is installed. */
export interface Found {
  /** From the folder that has node_modules. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** As its package.json has it. */
  readonly licence: string | undefined;
  readonly texts: readonly Text[];
  /** Where its source is. */
  readonly source: string | undefined;
  /** Of package-lock.json: `sha512-…`. */
  readonly integrity: string | undefined;
  readonly needs: readonly string[];
}

export type Kind = 'program' | 'library' | 'font' | 'package';

/** Something of others that is inside. */
export interface Part {
  readonly name: string;
  readonly version: string | undefined;
  readonly kind: Kind;
  readonly licence: string;
  readonly texts: readonly Text[];
  readonly source: string | undefined;
  /** What else has to be said. */
  readonly note: string | undefined;
  readonly purl: string;
  readonly integrity: string | undefined;
  /** Names of parts. */
  readonly needs: readonly string[];
}

/** What is known of a package beside what it says itself (known.ts). */
export interface Known {
  /** Its licence, where it says none or not all. */
  readonly licence?: string;
  /** Texts in place of its own. */
  readonly texts?: readonly Text[];
  /** Of its own texts, only up to this line. */
  readonly upTo?: string;
  /** That the texts were taken from; another one may have others. */
  readonly version?: string;
  readonly kind?: Kind;
  readonly note?: string;
  readonly source?: string;
  /** What it contains, and does not come from the registry itself. */
  readonly contains?: readonly Part[];
}

export interface Collected {
  readonly parts: readonly Part[];
  /** Sentences; none: all is said that has to be. */
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
    ...(asksForSource(licence) && !source
      ? [`${what} is under ${licence}, and nothing says where its source is.`]
      : []),
  ];
};

/** @param others that come beside packages, such as Node */
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
