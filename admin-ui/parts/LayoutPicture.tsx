import type { Layout } from '../../shared/contract/layouts.ts';
import './LayoutPicture.css';

type LayoutPictureProps = { layout: Pick<Layout, 'width' | 'height' | 'zones'>; names?: boolean };

/** How a layout divides the screen. Decoration: its name stands beside it. */
export function LayoutPicture({ layout: { width, height, zones }, names = false }: LayoutPictureProps) {
  const stacked = [...zones].sort((a, b) => a.z_index - b.z_index);
  return (
    <div className="layout-picture" aria-hidden>
      <div
        style={{ aspectRatio: `${width} / ${height}`, ...(width >= height ? { width: '100%' } : { height: '100%' }) }}
      >
        {stacked.map((zone, index) => (
          <span
            key={zone.id}
            className={`tone-${index % 4}`}
            style={{
              left: `${zone.x_percent}%`,
              top: `${zone.y_percent}%`,
              width: `${zone.width_percent}%`,
              height: `${zone.height_percent}%`,
            }}
          >
            {names && <small className="truncate">{zone.name}</small>}
          </span>
        ))}
      </div>
    </div>
  );
}
