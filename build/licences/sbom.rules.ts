/**
 * For tests: the part of the CycloneDX 1.6 schema (bom-1.6.schema.json) that our bill of materials uses. Rejects other
 * fields, and references without a target.
 */
import { z } from 'zod';
import { isKnown, parseExpression } from './accepted.ts';

const Ref = z.string().min(1);
const Hash = z.strictObject({
  alg: z.enum(['MD5', 'SHA-1', 'SHA-256', 'SHA-384', 'SHA-512']),
  content: z.string().regex(/^([a-f0-9]{32}|[a-f0-9]{40}|[a-f0-9]{64}|[a-f0-9]{96}|[a-f0-9]{128})$/),
});
const Licence = z.strictObject({
  license: z.union([z.strictObject({ id: z.string().refine(isKnown) }), z.strictObject({ name: z.string().min(1) })]),
});
/** Either a list of licences, or a single expression. */
const Licences = z.union([
  z.array(Licence).min(1),
  z.tuple([z.strictObject({ expression: z.string().refine((text) => parseExpression(text) !== undefined) })]),
]);

const Component = z.strictObject({
  type: z.enum(['application', 'library', 'file']),
  'bom-ref': Ref,
  group: z.string().optional(),
  name: z.string().min(1),
  version: z.string().optional(),
  description: z.string().optional(),
  hashes: z.array(Hash).optional(),
  licenses: Licences,
  purl: z.string().regex(/^pkg:(npm|generic)\/(%40[^/@]+\/)?[\w.~-]+(@[\w.+~-]+)?$/),
  externalReferences: z
    .array(z.strictObject({ type: z.enum(['vcs', 'website', 'distribution']), url: z.url() }))
    .optional(),
});

export const SBOM = z
  .strictObject({
    $schema: z.literal('http://cyclonedx.org/schema/bom-1.6.schema.json'),
    bomFormat: z.literal('CycloneDX'),
    specVersion: z.literal('1.6'),
    serialNumber: z.string().regex(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/),
    version: z.number().int().min(1),
    metadata: z.strictObject({ component: Component }),
    components: z.array(Component),
    dependencies: z.array(z.strictObject({ ref: Ref, dependsOn: z.array(Ref) })),
  })
  .check(({ value, issues }) => {
    const refs = [value.metadata.component, ...value.components].map((component) => component['bom-ref']);
    const known = new Set(refs);
    const told = value.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
    const isTwice = (list: readonly string[]) => new Set(list).size !== list.length;
    if (
      isTwice(refs) ||
      isTwice(value.dependencies.map(({ ref }) => ref)) ||
      value.dependencies.some(({ dependsOn }) => isTwice(dependsOn))
    )
      issues.push({ code: 'custom', message: 'a reference is there twice', input: value });
    for (const ref of told)
      if (!known.has(ref)) issues.push({ code: 'custom', message: `${ref} leads nowhere`, input: value });
  });
