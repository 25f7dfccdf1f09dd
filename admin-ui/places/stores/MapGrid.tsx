import { gridOf, type Plane, type Size, type View } from './map.utils.ts';
import { useDegreeWords } from './usePlaceWords.ts';

/** Lines at round degrees, named at the left and at the bottom. */
export function MapGrid({ plane, view, size }: { plane: Plane; view: View; size: Size }) {
  const words = useDegreeWords();
  const { width, height } = size;
  return (
    <svg className="map-grid" width={width} height={height} aria-hidden>
      {gridOf(plane, view, size).map(({ axis, degrees, at }) =>
        axis === 'latitude' ? (
          <g key={`${axis} ${degrees}`}>
            <line x1={0} x2={width} y1={at} y2={at} />
            <text x={8} y={at - 6}>
              {words(axis, degrees)}
            </text>
          </g>
        ) : (
          <g key={`${axis} ${degrees}`}>
            <line x1={at} x2={at} y1={0} y2={height} />
            <text x={at + 6} y={height - 10}>
              {words(axis, degrees)}
            </text>
          </g>
        ),
      )}
    </svg>
  );
}
