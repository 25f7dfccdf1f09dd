/**
 * Third-party parts of Vitrine: `licences.json`, which the build puts next to the admin window (build/licences). No
 * endpoint: everyone who may load the window may read it.
 */
import { z } from 'zod';

export const LicencePart = z.object({
  name: z.string(),
  /** Version of the part; null: the part has no version, for example a font inside a package. */
  version: z.string().nullable(),
  /** `program`: a separate file next to our files. `library`: foreign code inside a package. */
  kind: z.enum(['program', 'library', 'font', 'package']),
  /** Licence as an SPDX expression. */
  licence: z.string(),
  source: z.string().nullable(),
  note: z.string().nullable(),
  /** Keys of this part's licence texts in `texts`. */
  texts: z.array(z.string()),
});
export type LicencePart = z.infer<typeof LicencePart>;

export const LicenceList = z.object({
  vitrine: z.object({ version: z.string(), licence: z.string(), text: z.string() }),
  parts: z.array(LicencePart),
  texts: z.record(z.string(), z.string()),
});
export type LicenceList = z.infer<typeof LicenceList>;
