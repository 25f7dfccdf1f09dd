import { CircleAlert, TriangleAlert } from 'lucide-react';
import type { MarkState } from './map.utils.ts';

/** How a store is, by shape and colour; the words stand beside it or in the name of what it is in. */
export function StateGlyph({ state }: { state: MarkState }) {
  if (state === 'bad') return <CircleAlert className="map-glyph bad" aria-hidden />;
  if (state === 'warn') return <TriangleAlert className="map-glyph warn" aria-hidden />;
  return <span className={`map-glyph ${state}`} aria-hidden />;
}
