import type { Cue } from '../../../shared/program/program.ts';
import type { Surface, SurfaceContext } from './surface.ts';

/**
 * Types that cannot be animated. Only pictures of these types stay loaded, because an animation starts again with each
 * play.
 */
const STANDING = new Set(['image/jpeg', 'image/png', 'image/avif']);

export class ImageSurface implements Surface {
  readonly element = document.createElement('img');
  #context: SurfaceContext;
  #stands = false;

  constructor(context: SurfaceContext) {
    this.#context = context;
  }

  async prepare(cue: Cue): Promise<void> {
    this.element.alt = '';
    this.element.draggable = false;
    // Decodes the picture before it is shown. Otherwise Chromium may paint a blank frame first.
    this.element.decoding = 'sync';
    this.element.style.objectFit = this.#context.fit;
    this.element.src = this.#context.host.assetUrl(cue.item.asset ?? '');
    await this.element.decode().catch(() => {
      throw new Error('the image cannot be read');
    });
    this.#stands = STANDING.has(this.#context.mimeOf(cue.item.asset ?? '') ?? '');
  }

  destroy(): void {
    if (this.#stands) this.#context.pool.cache(this.element);
    else this.element.removeAttribute('src');
  }
}
