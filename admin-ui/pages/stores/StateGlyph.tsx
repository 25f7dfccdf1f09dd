import { CircleAlert, TriangleAlert } from 'lucide-react';
import type { MarkState } from './map/map.utils.ts';

/** State of a store by shape and colour. The words are beside it or in the name of its container. */
export function StateGlyph({ state }: { state: MarkState }) {
  if (state === 'bad') return <CircleAlert className="map-glyph bad" aria-hidden />;
  if (state === 'warn') return <TriangleAlert className="map-glyph warn" aria-hidden />;
  return <span className={`map-glyph ${state}`} aria-hidden />;
}
