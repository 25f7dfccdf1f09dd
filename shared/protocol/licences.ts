/**
 * What is inside of Vitrine and comes from others: `licences.json`, which the build lays beside the admin window
 * (build/licences). No endpoint: whoever may load the window may read it.
 */
import { z } from 'zod';

export const LicencePart = z.object({
  name: z.string(),
  /** Null: it has none of its own, as fonts within a package. */
  version: z.string().nullable(),
  /** `program`: beside ours, in a file of its own; `library`: within a package, from elsewhere. */
  kind: z.enum(['program', 'library', 'font', 'package']),
  /** An expression of SPDX. */
  licence: z.string(),
  source: z.string().nullable(),
  note: z.string().nullable(),
  /** Names of `texts`. */
  texts: z.array(z.string()),
});
export type LicencePart = z.infer<typeof LicencePart>;

export const LicenceList = z.object({
  vitrine: z.object({ version: z.string(), licence: z.string(), text: z.string() }),
  parts: z.array(LicencePart),
  texts: z.record(z.string(), z.string()),
});
export type LicenceList = z.infer<typeof LicenceList>;
