/**
 * Interface between the screens of a desktop program and Electron. It is implemented in electron-machine.ts, and for
 * tests in testing/ with the same behaviour.
 */
import type { Undo } from '../core/ports.ts';

/** Position and size in device-independent pixels of the whole desktop. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Display {
  /** Id of the display. Not stable: see displays.ts. */
  readonly id: number;
  /** Name given by the system, usually the model; may be empty. */
  readonly label: string;
  /** Whether the display belongs to a laptop or an all-in-one computer. */
  readonly internal: boolean;
  readonly bounds: Rectangle;
}

export interface Displays {
  /** Returns the connected displays. The list may be empty while the displays change. */
  readonly all: readonly Display[];
  readonly primary: Display | undefined;
}

export interface WindowOptions {
  /** Number of the screen on this computer. Each screen has its own browser session. */
  readonly place: number;
  readonly bounds: Rectangle;
  /** Returns true if the window may open this address. */
  readonly mayBeAt: (address: string) => boolean;
  /** Called when the window is gone for any reason, including `destroy`. */
  readonly closed: () => void;
  /** Called when the process of the page has ended. The window exists but is empty. */
  readonly pageGone: (reason: string) => void;
}

/**
 * A window without a frame. It fills its display and is above all other windows. Must not be used after it was closed.
 */
export interface KioskWindow {
  bounds(): Rectangle;
  isKiosk(): boolean;
  /** Moves the window. The final position may be known only a while later. */
  moveTo(bounds: Rectangle): void;
  /**
   * Loads a page. Resolves when the page has loaded, and rejects when the load failed. Never settles for a page that
   * hangs.
   */
  load(address: string): Promise<void>;
  /**
   * Resolves with the address that the page itself reports. During a load, this is the previous page. Never resolves
   * for a page that hangs.
   */
  address(): Promise<string>;
  /** Kills the process of the page, also a process that hangs. */
  endPage(): void;
  /** Returns a screenshot as JPEG in base64; null: not available. */
  picture(): Promise<string | null>;
  /** Closes the window without asking its page. */
  destroy(): void;
}

export interface Machine {
  displays(): Displays;
  /** Called when displays were added, removed or changed. The caller reads the new state. */
  onDisplays(listener: () => void): Undo;
  onResume(listener: () => void): Undo;
  /** Called when the graphics process has crashed. Chromium restarts the graphics process. */
  onGpuGone(listener: () => void): Undo;
  /** False if the program was started without the graphics processor. */
  readonly usesGpu: boolean;
  /** False if the operating system decides where windows are placed (Wayland). */
  readonly placesWindows: boolean;
  /** Opens a window. Throws if no window can be opened. */
  open(options: WindowOptions): KioskWindow;
  /** Prevents the displays of this computer from sleeping. */
  keepAwake(): Undo;
}
