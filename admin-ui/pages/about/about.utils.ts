import type { LicenceList, LicencePart } from '../../../shared/protocol/releases/licences.ts';

/** The kinds in page order, beginning with the best known. */
export const kinds = ['program', 'font', 'library', 'package'] as const satisfies readonly LicencePart['kind'][];

/** Parts whose name or licence matches, by kind. */
export const partsLike = ({ parts }: LicenceList, typed: string) => {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = parts.filter(({ name, licence }) =>
    words.every((word) => `${name} ${licence}`.toLowerCase().includes(word)),
  );
  return kinds
    .map((kind) => ({ kind, parts: found.filter((part) => part.kind === kind) }))
    .filter((group) => group.parts.length > 0);
};

/** Writes a licence as people read it; SPDX marks those that it has no name for. */
export const readableLicence = (licence: string): string => licence.replaceAll('LicenseRef-', '');

export const titleOf = ({ name, version }: LicencePart): string => (version === null ? name : `${name} ${version}`);
