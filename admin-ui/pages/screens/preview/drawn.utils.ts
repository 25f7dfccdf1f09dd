/** Combines a screen's reports with its program for a drawing. Pure functions. */
import { FULL_ZONE } from '../../../../shared/program/full-zone.ts';
import type { Program, ProgramItem, ProgramZone } from '../../../../shared/program/program.ts';
import { itemsOf } from '../../../../shared/program/program-items.ts';
import type { Showing } from '../../../../shared/protocol/messages.ts';

/**
 * Returns the reported zones and items from back to front. A report whose zone or item is no longer in the program
 * is left out.
 */
export const drawnZones = (
  program: Program,
  showing: readonly Showing[],
): { zone: ProgramZone; item: ProgramItem }[] => {
  const zones = new Map(
    [FULL_ZONE, ...program.layouts.flatMap((layout) => layout.zones)].map((zone) => [zone.id, zone]),
  );
  const items = itemsOf(program);
  return showing
    .flatMap((turn) => {
      const zone = zones.get(turn.zone_id ?? FULL_ZONE.id);
      const item = items.find(
        (each) =>
          each.item_id === turn.item_id && each.content_id === turn.content_id && each.widget_id === turn.widget_id,
      );
      return zone && item ? [{ zone, item }] : [];
    })
    .sort((a, b) => a.zone.z_index - b.zone.z_index);
};
