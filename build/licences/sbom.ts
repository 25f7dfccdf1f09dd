/**
 * Creates the bill of materials (CycloneDX 1.6), which programs use to search for known vulnerabilities. The same
 * packages give the same bytes.
 */
import { createHash } from 'node:crypto';
import { isKnown, parseExpression } from './accepted.ts';
import type { Part } from './collect.ts';

interface Own {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
}

const ALGORITHMS: Readonly<Record<string, string>> = {
  sha1: 'SHA-1',
  sha256: 'SHA-256',
  sha384: 'SHA-384',
  sha512: 'SHA-512',
};

/** Converts npm's `sha512-…` (possibly several, separated by spaces) to CycloneDX. */
const hashesOf = (integrity: string) =>
  integrity.split(/\s+/).flatMap((one) => {
    const [algorithm = '', value = ''] = one.split('-', 2);
    const alg = ALGORITHMS[algorithm];
    return alg ? [{ alg, content: Buffer.from(value, 'base64').toString('hex') }] : [];
  });

/**
 * Returns a single licence by its id; a combination, or a licence outside of the SPDX list, as an expression; anything
 * else (only in a checkout) by its name.
 */
const licencesOf = (licence: string) => {
  if (isKnown(licence) && !licence.startsWith('LicenseRef-')) return [{ license: { id: licence } }];
  return [
    parseExpression(licence) && /\s|^LicenseRef-/.test(licence)
      ? { expression: licence }
      : { license: { name: licence || 'unknown' } },
  ];
};

const componentOf = ({ name, version, kind, licence, source, note, purl, integrity }: Part) => {
  const [, group, plain] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [undefined, undefined, name];
  return {
    type: kind === 'program' ? 'application' : kind === 'font' ? 'file' : 'library',
    'bom-ref': purl,
    ...(group && { group }),
    name: plain,
    ...(version !== undefined && { version }),
    ...(note !== undefined && { description: note }),
    ...(integrity !== undefined && { hashes: hashesOf(integrity) }),
    licenses: licencesOf(licence),
    purl,
    ...(source !== undefined && { externalReferences: [{ type: 'vcs', url: source }] }),
  };
};

/** Returns a UUID derived from the content (RFC 9562, version 8), so that it changes with the content. */
const serialOf = (content: unknown): string => {
  const hex = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

export const sbomOf = ({ name, version, licence }: Own, parts: readonly Part[]) => {
  const ref = `pkg:npm/${name}@${version}`;
  const byName = new Map(parts.map((part) => [part.name, part.purl]));
  const edges = parts.map(({ purl, needs }) => ({
    ref: purl,
    dependsOn: [...new Set(needs.flatMap((need) => byName.get(need) ?? []))].filter((need) => need !== purl).sort(),
  }));
  const needed = new Set(edges.flatMap(({ dependsOn }) => dependsOn));
  const content = {
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': ref, name, version, licenses: licencesOf(licence), purl: ref },
    },
    components: parts.map(componentOf),
    dependencies: [
      { ref, dependsOn: parts.map(({ purl }) => purl).filter((purl) => !needed.has(purl)) },
      ...edges.filter(({ dependsOn }) => dependsOn.length > 0),
    ],
  };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialOf(content),
    ...content,
  };
};
