import type { Wall } from '../../../shared/contract/walls.ts';
import './walls.css';

/** How a wall hangs. Decoration: its name stands beside it. */
export function WallPicture({ wall }: { wall: Wall }) {
  const rects = wall.devices.map((d) => ({ id: d.device_id, on: d.device_status === 'online', x: d.canvas_x, y: d.canvas_y, width: d.canvas_width, height: d.canvas_height }));
  if (rects.length === 0) return <span className="wall-picture empty" aria-hidden />;
  const x = Math.min(...rects.map((r) => r.x));
  const y = Math.min(...rects.map((r) => r.y));
  const width = Math.max(...rects.map((r) => r.x + r.width)) - x;
  const height = Math.max(...rects.map((r) => r.y + r.height)) - y;
  const corner = Math.min(width, height) / 60;
  return (
    <svg className="wall-picture" viewBox={`${x} ${y} ${width} ${height}`} preserveAspectRatio="xMidYMid meet" aria-hidden>
      {rects.map((r) => (
        <rect key={r.id} className={r.on ? 'on' : 'off'} x={r.x} y={r.y} width={r.width} height={r.height} rx={corner} />
      ))}
    </svg>
  );
}
