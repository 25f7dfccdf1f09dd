/** A wall in the editor. All lengths are in millimetres, as the audience sees the wall. */
import type { NewWallMember, Wall, WallChange } from '../../../shared/contract/screens/walls.ts';
import { placeMembers, type Rect, type Rotation } from '../../../shared/program/wall.ts';

export interface PanelDraft {
  readonly device_id: string;
  readonly name: string;
  readonly col: number;
  readonly row: number;
  readonly rotation: Rotation;
  /** Position of a freely placed panel; null for a panel that is at its cell. */
  readonly canvas: Rect | null;
}

export interface WallDraft {
  readonly name: string;
  readonly grid_cols: number;
  readonly grid_rows: number;
  readonly bezel_h_mm: number;
  readonly bezel_v_mm: number;
  readonly screen_w_mm: number;
  readonly screen_h_mm: number;
  readonly leader_device_id: string | null;
  readonly content_id: string | null;
  readonly playlist_id: string | null;
  readonly panels: readonly PanelDraft[];
}

const rotationOf = (degrees: number): Rotation => (degrees === 90 || degrees === 180 || degrees === 270 ? degrees : 0);
const same = (a: Rect, b: Rect): boolean =>
  (['x', 'y', 'width', 'height'] as const).every((key) => Math.abs(a[key] - b[key]) < 0.05);

export const placed = (draft: WallDraft): Rect[] => placeMembers(draft, draft.panels);

/** Returns the draft of a wall. A panel whose stored position equals its cell does not count as freely placed. */
export const draftOf = (wall: Wall): WallDraft => {
  const {
    name,
    grid_cols,
    grid_rows,
    bezel_h_mm,
    bezel_v_mm,
    screen_w_mm,
    screen_h_mm,
    leader_device_id,
    content_id,
    playlist_id,
  } = wall;
  const base = {
    name,
    grid_cols,
    grid_rows,
    bezel_h_mm,
    bezel_v_mm,
    screen_w_mm,
    screen_h_mm,
    leader_device_id,
    content_id,
    playlist_id,
  };
  const panels = wall.devices.map(
    (d): PanelDraft => ({
      device_id: d.device_id,
      name: d.device_name,
      col: d.grid_col,
      row: d.grid_row,
      rotation: rotationOf(d.rotation),
      canvas: null,
    }),
  );
  const byCell = placed({ ...base, panels });
  return {
    ...base,
    panels: panels.map((panel, index) => {
      const d = wall.devices[index]!;
      const at = { x: d.canvas_x, y: d.canvas_y, width: d.canvas_width, height: d.canvas_height };
      return same(at, byCell[index]!) ? panel : { ...panel, canvas: at };
    }),
  };
};

export const changeOf = ({ panels: _, ...wall }: WallDraft): WallChange => wall;
export const membersOf = ({ panels }: WallDraft): NewWallMember[] =>
  panels.map(({ device_id, col, row, rotation, canvas }) => ({
    device_id,
    grid_col: col,
    grid_row: row,
    rotation,
    ...(canvas && { canvas_x: canvas.x, canvas_y: canvas.y, canvas_width: canvas.width, canvas_height: canvas.height }),
  }));

export const panelAt = (draft: WallDraft, col: number, row: number): PanelDraft | undefined =>
  draft.panels.find((p) => p.col === col && p.row === row);

/** Returns the first cell without a panel, row by row; undefined when the wall is full. */
export const freeCell = (draft: WallDraft): { col: number; row: number } | undefined => {
  for (let row = 0; row < draft.grid_rows; row++)
    for (let col = 0; col < draft.grid_cols; col++) if (!panelAt(draft, col, row)) return { col, row };
  return undefined;
};

/** Moves a panel into a cell. A panel in that cell swaps places with it. */
export const movedToCell = (draft: WallDraft, deviceId: string, col: number, row: number): WallDraft => {
  const panel = draft.panels.find((p) => p.device_id === deviceId);
  if (!panel || col < 0 || row < 0 || col >= draft.grid_cols || row >= draft.grid_rows) return draft;
  const there = panelAt(draft, col, row);
  return {
    ...draft,
    panels: draft.panels.map((p) => {
      if (p.device_id === deviceId) return { ...p, col, row, canvas: null };
      return there && p.device_id === there.device_id ? { ...p, col: panel.col, row: panel.row, canvas: null } : p;
    }),
  };
};

export const withPanel = (draft: WallDraft, deviceId: string, change: Partial<PanelDraft>): WallDraft => ({
  ...draft,
  panels: draft.panels.map((p) => (p.device_id === deviceId ? { ...p, ...change } : p)),
});

export const withoutPanel = (draft: WallDraft, deviceId: string): WallDraft => ({
  ...draft,
  panels: draft.panels.filter((p) => p.device_id !== deviceId),
  leader_device_id: draft.leader_device_id === deviceId ? null : draft.leader_device_id,
});

/** Returns the panel rotated by a quarter to the right. A freely placed panel keeps its middle. */
export const turned = (panel: PanelDraft): PanelDraft => {
  const rotation = ((panel.rotation + 90) % 360) as Rotation;
  const { canvas } = panel;
  if (!canvas) return { ...panel, rotation };
  const { x, y, width, height } = canvas;
  return {
    ...panel,
    rotation,
    canvas: { x: x + (width - height) / 2, y: y + (height - width) / 2, width: height, height: width },
  };
};

/** Returns the draft with another grid. Panels outside a smaller grid are removed. */
export const withGrid = (draft: WallDraft, change: { grid_cols?: number; grid_rows?: number }): WallDraft => {
  const next = { ...draft, ...change };
  const panels = next.panels.filter((p) => p.col < next.grid_cols && p.row < next.grid_rows);
  return {
    ...next,
    panels,
    leader_device_id: panels.some((p) => p.device_id === next.leader_device_id) ? next.leader_device_id : null,
  };
};

const GAP_NEAR = 1.5;
/**
 * Returns the position of a dragged panel, rounded to tenths of a millimetre. Edges snap to other panels' edges and
 * to a bezel's distance from them.
 * @param near millimetres; 0: no snapping
 */
export const draggedTo = (rect: Rect, others: readonly Rect[], gaps: { h: number; v: number }, near: number): Rect => {
  const cling = (low: number, size: number, lines: readonly number[]): number => {
    let best: number | undefined;
    for (const line of lines)
      for (const by of [line - low, line - (low + size)])
        if (Math.abs(by) <= near && (best === undefined || Math.abs(by) < Math.abs(best))) best = by;
    return Math.round((low + (best ?? 0)) * 10) / 10;
  };
  const xs = others.flatMap((r) => [r.x, r.x + r.width, r.x + r.width + gaps.h, r.x - gaps.h]);
  const ys = others.flatMap((r) => [r.y, r.y + r.height, r.y + r.height + gaps.v, r.y - gaps.v]);
  return {
    ...rect,
    x: cling(rect.x, rect.width, near > 0 ? xs : []),
    y: cling(rect.y, rect.height, near > 0 ? ys : []),
  };
};
/** Returns the snap distance in millimetres when the wall is drawn at `scale` pixels per millimetre. */
export const nearFor = (scale: number): number => (GAP_NEAR * 5) / scale;

/** Returns the area of the drawing, which contains all panels and the whole grid. */
export const extentOf = (draft: WallDraft): Rect => {
  const rects = [...placed(draft), ...cellsOf(draft)];
  const left = Math.min(0, ...rects.map((r) => r.x));
  const top = Math.min(0, ...rects.map((r) => r.y));
  return {
    x: left,
    y: top,
    width: Math.max(1, ...rects.map((r) => r.x + r.width)) - left,
    height: Math.max(1, ...rects.map((r) => r.y + r.height)) - top,
  };
};

/** Returns the position that a panel would have in each free cell. */
export const cellsOf = (draft: WallDraft): (Rect & { col: number; row: number })[] => {
  const free: { col: number; row: number }[] = [];
  for (let row = 0; row < draft.grid_rows; row++)
    for (let col = 0; col < draft.grid_cols; col++) if (!panelAt(draft, col, row)) free.push({ col, row });
  const ghosts = free.map(
    ({ col, row }): PanelDraft => ({ device_id: '', name: '', col, row, rotation: 0, canvas: null }),
  );
  return placeMembers(draft, [...draft.panels, ...ghosts])
    .slice(draft.panels.length)
    .map((rect, index) => ({ ...rect, ...free[index]! }));
};

/** Returns the size of a panel's picture in millimetres from the inches of its diagonal and the aspect ratio. */
export const panelSize = (inches: number, aspect: number): { screen_w_mm: number; screen_h_mm: number } => {
  const diagonal = inches * 25.4;
  const height = diagonal / Math.hypot(aspect, 1);
  return { screen_w_mm: Math.round(height * aspect * 10) / 10, screen_h_mm: Math.round(height * 10) / 10 };
};
export const inchesOf = ({ screen_w_mm, screen_h_mm }: Pick<WallDraft, 'screen_w_mm' | 'screen_h_mm'>): number =>
  Math.round((Math.hypot(screen_w_mm, screen_h_mm) / 25.4) * 10) / 10;
