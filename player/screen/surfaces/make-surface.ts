import type { ProgramItem } from '../../../shared/program/program.ts';
import { FrameSurface } from './frame.surface.ts';
import { ImageSurface } from './image.surface.ts';
import { MediaSurface } from './media.surface.ts';
import { PdfSurface } from './pdf.surface.ts';
import type { Surface, SurfaceContext } from './surface.ts';

export function makeSurface(item: ProgramItem, context: SurfaceContext): Surface {
  switch (item.kind) {
    case 'image':
      return new ImageSurface(context);
    case 'video':
    case 'audio':
      return new MediaSurface(item.kind, context);
    case 'pdf':
      return new PdfSurface(context);
    case 'web':
    case 'embed':
    case 'widget':
    case 'kiosk':
    case 'design':
      return new FrameSurface({ ...item, kind: item.kind }, context);
    default:
      item.kind satisfies never;
      // The kind of the item is unknown, because the server is newer than this page. The item is skipped like any other
      // item that cannot be shown.
      throw new Error('this version of the player cannot show this kind of content; update the player');
  }
}
