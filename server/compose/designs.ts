/** Creates the parts of designs. */
import { join } from 'node:path';
import type { Brand } from '../../shared/design/brand.ts';
import { DesignPages } from '../features/designs/design-pages.ts';
import { DesignThumbnails } from '../features/designs/design-thumbnails.ts';
import { DesignsStore } from '../features/designs/designs.store.ts';
import { PageFiles } from '../features/widgets/pages/page-files.ts';
import { BrandsStore } from '../features/workspaces/brands.store.ts';
import { serverZone } from '../kernel/time/server-zone.ts';
import type { LibraryParts } from './content.ts';
import type { Kernel } from './kernel.ts';

export const createDesigns = (
  kernel: Kernel,
  { library }: { readonly library: Pick<LibraryParts, 'media' | 'inspector'> },
) => {
  const { config, db, log } = kernel;
  const { media, inspector } = library;
  const store = new DesignsStore(db);
  const brands = new BrandsStore(db);
  const brandOf = (workspaceId: string): Brand | undefined => {
    const found = brands.find(workspaceId);
    return found && { ...found.brand, name: found.displayName };
  };
  const pages = new DesignPages({
    files: new PageFiles('design-pages', join(config.data, 'designs')),
    ...{ store, media, brandOf, log },
  });
  const thumbnails = new DesignThumbnails({
    ...kernel,
    ...{ store, media, process: inspector, brandOf, serverZone },
    onError: (error) => log.error('design-thumbnails failed', { error }),
  });
  return {
    /** Pages of designs as they are sent to players. */
    pages,
    /** Parts to start, in this order. */
    parts: [pages, thumbnails],
  };
};
