import type { LicenceList, LicencePart } from '../../../shared/protocol/licences.ts';

/** In their order on the page: what people know by name first. */
export const kinds = ['program', 'font', 'library', 'package'] as const satisfies readonly LicencePart['kind'][];

/** What is called so, or stands under such a licence, by kind. */
export const partsLike = ({ parts }: LicenceList, typed: string) => {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = parts.filter(({ name, licence }) =>
    words.every((word) => `${name} ${licence}`.toLowerCase().includes(word)),
  );
  return kinds
    .map((kind) => ({ kind, parts: found.filter((part) => part.kind === kind) }))
    .filter((group) => group.parts.length > 0);
};

/** As people read it; what SPDX has no name for is marked there. */
export const readableLicence = (licence: string): string => licence.replaceAll('LicenseRef-', '');

export const titleOf = ({ name, version }: LicencePart): string => (version === null ? name : `${name} ${version}`);
