/**
 * Computes the position of the upright picture, and of the wall's whole picture (canvas), on a panel. In pixels. Pure.
 */
import type { Placement } from '../../shared/program/program.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface StageGeometry {
  /** Clockwise rotation in degrees that makes the picture upright for the viewer. */
  readonly turn: 0 | 90 | 180 | 270;
  /** Size of the picture for the viewer: width and height are swapped when the panel is rotated by 90° or 270°. */
  readonly upright: Size;
  /** The wall's canvas within the upright picture; without a wall the picture itself. */
  readonly canvas: Size & { readonly x: number; readonly y: number; readonly stretchY: number };
}

const TURNS = { '0': 0, '90': 90, '180': 180, '270': 270 } as const;

export function stageGeometry(viewport: Size, placement: Placement | null): StageGeometry {
  const wall = placement?.wall ?? null;
  const turn = wall ? wall.rotation : TURNS[placement?.orientation ?? '0'];
  const upright = turn === 90 || turn === 270 ? { width: viewport.height, height: viewport.width } : { ...viewport };
  if (!wall) return { turn, upright, canvas: { x: 0, y: 0, ...upright, stretchY: 1 } };

  // The canvas is laid out in square millimetres, so that fit modes and round shapes keep their form across the wall. A
  // panel whose pixels are not square in millimetres stretches the canvas.
  const perMillimetre = upright.width / wall.tile.width;
  const stretchY = upright.height / wall.tile.height / perMillimetre;
  return {
    turn,
    upright,
    canvas: {
      x: -wall.tile.x * perMillimetre,
      y: -wall.tile.y * perMillimetre * stretchY,
      width: wall.canvas.width * perMillimetre,
      height: wall.canvas.height * perMillimetre,
      stretchY,
    },
  };
}

export interface OverlayPlace extends Size {
  readonly x: number;
  readonly y: number;
}

/** Distance of an overlay from its aligned edges, in CSS pixels of a 1080-line screen. */
const OVERLAY_MARGIN = 32;

/**
 * Returns the position and size of an overlay in the upright picture: the requested size, at most the screen size, at
 * its corner or in the middle.
 */
export function placeOverlay(
  screen: Size,
  asked: Size,
  position: 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right' | 'center',
): OverlayPlace {
  const width = Math.min(asked.width, screen.width);
  const height = Math.min(asked.height, screen.height);
  const margin = (OVERLAY_MARGIN * Math.min(screen.width, screen.height)) / 1080;
  // An overlay nearly as large as the screen loses its margin before its size is reduced.
  const marginX = Math.min(margin, (screen.width - width) / 2);
  const marginY = Math.min(margin, (screen.height - height) / 2);
  const left = position.endsWith('left')
    ? marginX
    : position.endsWith('right')
      ? screen.width - width - marginX
      : (screen.width - width) / 2;
  const top = position.startsWith('top')
    ? marginY
    : position.startsWith('bottom')
      ? screen.height - height - marginY
      : (screen.height - height) / 2;
  return { x: Math.round(left), y: Math.round(top), width, height };
}
