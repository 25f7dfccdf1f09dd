import type { LicenceList, LicencePart } from '../../../shared/protocol/releases/licences.ts';

/** Kinds of included software in the order of the page. The best known kind comes first. */
export const kinds = ['program', 'font', 'library', 'package'] as const satisfies readonly LicencePart['kind'][];

/** Returns the parts whose name or licence matches the text, grouped by kind. */
export const partsLike = ({ parts }: LicenceList, typed: string) => {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = parts.filter(({ name, licence }) =>
    words.every((word) => `${name} ${licence}`.toLowerCase().includes(word)),
  );
  return kinds
    .map((kind) => ({ kind, parts: found.filter((part) => part.kind === kind) }))
    .filter((group) => group.parts.length > 0);
};

/** Returns a licence name that people can read. SPDX adds a prefix to licences that are not in its list. */
export const readableLicence = (licence: string): string => licence.replaceAll('LicenseRef-', '');

export const titleOf = ({ name, version }: LicencePart): string => (version === null ? name : `${name} ${version}`);
