/** An overlay in the editor, and its position on a screen. */
import type { NewOverlay, OverlayResult } from '../../../shared/contract/screens/overlays.ts';
import type { Size } from '../../domain/preview/Scaled.tsx';

export type Composed = Omit<NewOverlay, 'device_id' | 'title' | 'title_color' | 'background_color' | 'close_button'> & {
  readonly title: string;
  readonly title_color: string;
  readonly background_color: string;
  readonly close_button: boolean;
};
export type Position = Composed['position'];
export const positions = [
  'top-left',
  'top-right',
  'center',
  'bottom-left',
  'bottom-right',
] as const satisfies readonly Position[];

export const blank: Composed = {
  type: 'image',
  uri: '',
  position: 'top-right',
  width: 640,
  height: 400,
  duration: 60,
  title: '',
  title_color: '#ffffff',
  background_color: '#1d2a6b',
  opacity: 1,
  border_radius: 16,
  close_button: false,
};

/** Durations that the form offers, in seconds; 0 means until cleared. */
export const durations = [0, 15, 30, 60, 300, 3600] as const;

export const hasAddress = (uri: string): boolean => /^https?:\/\/[^\s/]+/i.test(uri) && URL.canParse(uri);

/** Returns the request body for an overlay. Empty values are left out. */
export const bodyOf = ({ title, title_color, background_color, ...rest }: Composed, device_id: string) => ({
  ...rest,
  device_id,
  ...(title.trim() && { title: title.trim(), ...(isColor(title_color) && { title_color }) }),
  ...(isColor(background_color) && { background_color }),
});
export const isColor = (value: string): boolean => /^#[0-9a-f]{6}$/i.test(value);

/** Distance from the edge in pixels, on a screen of 1080 lines. */
const MARGIN = 32;

/**
 * Returns the position of an overlay as in the player (player/screen/stage-geometry.ts): never larger than the
 * screen, and without a margin if it would not fit otherwise.
 */
export const placeOn = (
  screen: Size,
  { width: askedWidth, height: askedHeight, position }: Pick<Composed, 'width' | 'height' | 'position'>,
) => {
  const width = Math.min(askedWidth, screen.width);
  const height = Math.min(askedHeight, screen.height);
  const margin = (MARGIN * Math.min(screen.width, screen.height)) / 1080;
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
  return { left: Math.round(left), top: Math.round(top), width, height };
};

/**
 * Returns the size of the picture as people see it: a panel rotated by a quarter is upright. Full HD while the
 * player has not reported a size.
 */
export const uprightSize = (
  screen: { screen_width: number; screen_height: number; orientation: string } | undefined,
): Size => {
  const known = screen && screen.screen_width > 0 && screen.screen_height > 0;
  const [width, height] = known ? [screen.screen_width, screen.screen_height] : [1920, 1080];
  return screen && (screen.orientation === '90' || screen.orientation === '270')
    ? { width: height, height: width }
    : { width, height };
};

export type Arrival = {
  /** Id of the device, or of the group while its devices are unknown. */
  readonly id: string;
  readonly name: string;
  readonly status: OverlayResult['status'] | 'waiting';
  readonly error?: string | undefined;
  readonly pipId?: string | undefined;
};

/**
 * Returns the results with new reports. A new report replaces the earlier report of the same device, and the reports
 * of devices replace the entry of their group.
 */
export const arrived = (
  before: readonly Arrival[],
  target: string,
  results: readonly OverlayResult[],
  pipId: string | undefined,
): Arrival[] => {
  const heard = results.map(({ device_id: id, name, status, error }): Arrival => ({ id, name, status, error, pipId }));
  const ids = new Set([target, ...heard.map(({ id }) => id)]);
  const at = before.findIndex(({ id }) => id === target);
  const kept = before.filter(({ id }) => !ids.has(id));
  return at < 0 ? [...kept, ...heard] : [...kept.slice(0, at), ...heard, ...kept.slice(at)];
};

/**
 * Returns an HTML page with a picture for the preview frame. The admin window's content security policy would block
 * a picture from another host.
 */
export const imagePage = (uri: string): string =>
  `<!doctype html><meta charset="utf-8"><style>html,body{margin:0;height:100%;overflow:hidden}img{display:block;width:100%;height:100%;object-fit:contain}</style><img alt="" src="${uri.replace(
    /[&<>"']/g,
    (c) => `&#${c.charCodeAt(0)};`,
  )}">`;
