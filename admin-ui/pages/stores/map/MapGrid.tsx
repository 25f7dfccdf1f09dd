import { gridOf, type Plane, type Size, type View } from './map.utils.ts';
import { useDegreeWords } from './usePlaceWords.ts';

/**
 * Distances in pixels from the edges within which a grid line has no label, since the label would be cut off or
 * overlap another.
 */
const FOOT = 30;
const END = 56;

/** Grid lines at round degrees, labelled at the left and at the bottom. */
export function MapGrid({ plane, view, size }: { plane: Plane; view: View; size: Size }) {
  const words = useDegreeWords();
  const { width, height } = size;
  const lines = gridOf(plane, view, size);
  return (
    <svg className="map-grid" width={width} height={height} aria-hidden>
      {lines.map(({ axis, degrees, at }) =>
        axis === 'latitude' ? (
          <line key={`${axis} ${degrees}`} x1={0} x2={width} y1={at} y2={at} />
        ) : (
          <line key={`${axis} ${degrees}`} x1={at} x2={at} y1={0} y2={height} />
        ),
      )}
      {lines
        .filter(({ axis, at }) => (axis === 'latitude' ? at > FOOT / 2 && at < height - FOOT : at < width - END))
        .map(({ axis, degrees, at }) => (
          <text
            key={`${axis} ${degrees}`}
            {...(axis === 'latitude' ? { x: 8, y: at - 6 } : { x: at + 6, y: height - 10 })}
          >
            {words(axis, degrees)}
          </text>
        ))}
    </svg>
  );
}
