import { CircleAlert, TriangleAlert } from 'lucide-react';
import type { MarkState } from './map/map.utils.ts';

/**
 * Symbol for the state of a store; shape and colour carry the same information. Text beside it or the name of its
 * container says the state.
 */
export function StateGlyph({ state }: { state: MarkState }) {
  if (state === 'bad') return <CircleAlert className="map-glyph bad" aria-hidden />;
  if (state === 'warn') return <TriangleAlert className="map-glyph warn" aria-hidden />;
  return <span className={`map-glyph ${state}`} aria-hidden />;
}
