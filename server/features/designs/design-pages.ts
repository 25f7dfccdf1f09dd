/**
 * Pages of designs for players: files named by their hash (widgets/pages/page-files.ts), made from the document, the
 * brand of the workspace and the contents that the design shows. A page is rendered again when one of them changes.
 */
import { readFileSync } from 'node:fs';
import type { Brand } from '../../../shared/design/brand.ts';
import type { Design } from '../../../shared/design/design.ts';
import { fontFilesOf } from '../../../shared/design/fonts.ts';
import { mediaOf, readDesign } from '../../../shared/design/read-design.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import { recent } from '../../kernel/time/recent.ts';
import { brandFontPath } from '../../media/fonts/brand-fonts.ts';
import type { MediaStore } from '../../media/media-store.ts';
import type { DesignPages as Pages } from '../../programs/compile.ts';
import type { PageFiles } from '../widgets/pages/page-files.ts';
import { brandContents } from './brand-contents.ts';
import { designPage } from './design-page.ts';
import type { DesignsStore } from './designs.store.ts';
import { lentFonts } from './lent-fonts.ts';

/** Documents in memory. A workspace with more designs reads some of them again for each compiled program. */
const MAX_DOCUMENTS = 500;

interface Deps {
  readonly files: PageFiles;
  readonly store: DesignsStore;
  readonly media: Pick<MediaStore, 'pathOf'>;
  /** Undefined: there is no such workspace. */
  readonly brandOf: (workspaceId: string) => Brand | undefined;
  readonly log: { warn(message: string, details: Record<string, unknown>): void };
}

export class DesignPages implements Lifecycle, Pages {
  readonly name = 'design-pages';
  readonly #deps: Deps;
  /** Document by the hash of its file; null: the file cannot be read. */
  readonly #documents = recent<string, { readonly design: Design | null }>(MAX_DOCUMENTS);

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#deps.files.start();
  }

  stop(): void {}

  page({ id, name, sha256 }: Parameters<Pages['page']>[0]): ReturnType<Pages['page']> {
    const design = this.#document(sha256);
    if (design === null) return undefined;
    const { store, files, brandOf } = this.#deps;
    const workspaceId = store.workspaceOf(id);
    const brand = workspaceId === undefined ? undefined : brandOf(workspaceId);
    if (workspaceId === undefined || !brand) return undefined;
    const shown = [...new Set([...mediaOf(design), ...brandContents(brand)])];
    const found = store.files(workspaceId, shown);
    const fonts = lentFonts(fontFilesOf(design.pages, brand));
    const input = {
      ...{ title: name, design, brand },
      // The browser's language decides, as for widgets without a language of their own.
      locale: null,
      media: found.map((file) => file.id),
      videos: found.flatMap((file) => (file.kind === 'video' ? [file.id] : [])),
      faces: fonts.map(({ face }) => face),
    };
    const key = JSON.stringify([sha256, { ...input, design: undefined }]);
    return {
      asset: files.asset(id, key, () => designPage(input)),
      files: Object.fromEntries([
        ...found.map(({ id: content, asset }) => [content, asset] as const),
        ...fonts.map(({ face, asset }) => [face.key, asset] as const),
      ]),
      shown,
    };
  }

  /** Returns the path of a page's file or of a font; undefined when there is no such file (any more). */
  path(sha256: string): string | undefined {
    return this.#deps.files.path(sha256) ?? brandFontPath(sha256);
  }

  /** Reads a document of at most 512 kB, once per version of a design. */
  #document(sha256: string): Design | null {
    const known = this.#documents.get(sha256);
    if (known) return known.design;
    let design: Design | null = null;
    try {
      const read = readDesign(readFileSync(this.#deps.media.pathOf(sha256), 'utf8'));
      if ('design' in read) design = read.design;
      else this.#deps.log.warn('A stored design cannot be read', { sha256, reason: read.refused });
    } catch (error) {
      // The file may return, for example from a backup, so the failure is not remembered.
      this.#deps.log.warn('The file of a design cannot be read', { sha256, error });
      return null;
    }
    this.#documents.set(sha256, { design });
    return design;
  }
}
