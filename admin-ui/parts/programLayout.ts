import type { Layout } from '../../shared/contract/layouts.ts';
import type { ProgramLayout } from '../../shared/program/program.ts';

/** A layout as players get it, for previews (shared/program). */
export const toProgramLayout = ({ id, name, width, height, zones }: Layout): ProgramLayout => ({
  id,
  name,
  width,
  height,
  zones: zones.map((z) => ({
    id: z.id,
    name: z.name,
    x: z.x_percent,
    y: z.y_percent,
    width: z.width_percent,
    height: z.height_percent,
    z_index: z.z_index,
    zone_type: z.zone_type,
    fit: z.fit_mode,
    background: z.background_color,
  })),
});
