import type { Cue } from '../../../shared/program/program.ts';
import type { Surface, SurfaceContext } from './surface.ts';

export class ImageSurface implements Surface {
  readonly element = document.createElement('img');
  #context: SurfaceContext;

  constructor(context: SurfaceContext) {
    this.#context = context;
  }

  async prepare(cue: Cue): Promise<void> {
    this.element.alt = '';
    this.element.draggable = false;
    // Otherwise Chromium may paint the frame first and the picture when it is decoded: a blank flash.
    this.element.decoding = 'sync';
    this.element.style.objectFit = this.#context.fit;
    this.element.src = this.#context.host.assetUrl(cue.item.asset ?? '');
    await this.element.decode().catch(() => {
      throw new Error('the image cannot be read');
    });
  }

  retime(): void {}
  show(): void {}
  leave(): void {}
  check(): void {}

  destroy(): void {
    this.element.removeAttribute('src');
  }
}
