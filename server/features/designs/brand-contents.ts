import type { Brand } from '../../../shared/design/brand.ts';

/** Returns the ids of the contents that a brand shows. */
export const brandContents = ({ logo_content_id, logo_dark_content_id }: Brand): string[] =>
  [logo_content_id, logo_dark_content_id].filter((id) => id !== null);
