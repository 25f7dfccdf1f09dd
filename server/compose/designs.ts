/** Creates the parts of designs. */
import { join } from 'node:path';
import { DesignPages } from '../features/designs/design-pages.ts';
import { DesignsStore } from '../features/designs/designs.store.ts';
import { PageFiles } from '../features/widgets/pages/page-files.ts';
import { BrandsStore } from '../features/workspaces/brands.store.ts';
import type { LibraryParts } from './content.ts';
import type { Kernel } from './kernel.ts';

export const createDesigns = (
  { config, db, log }: Kernel,
  { library }: { readonly library: Pick<LibraryParts, 'media'> },
) => ({
  /** Pages of designs as they are sent to players. */
  pages: new DesignPages({
    files: new PageFiles('design-pages', join(config.data, 'designs')),
    store: new DesignsStore(db),
    brands: new BrandsStore(db),
    media: library.media,
    log,
  }),
});
