/**
 * What the screens of a desktop program need of Electron, and no more: electron-machine.ts has the real one, testing/
 * one that behaves like it.
 */
import type { Undo } from '../core/ports.ts';

/** Device-independent pixels of the whole desktop. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Display {
  /** Not for ever: see displays.ts. */
  readonly id: number;
  /** As the system calls it, mostly the model; may be empty. */
  readonly label: string;
  /** Of a laptop or an all-in-one. */
  readonly internal: boolean;
  readonly bounds: Rectangle;
}

export interface Displays {
  /** Also none, while they change. */
  readonly all: readonly Display[];
  readonly primary: Display | undefined;
}

export interface WindowOptions {
  /** Of its screen: each has a session of its own. */
  readonly place: number;
  readonly bounds: Rectangle;
  /** Whether the window itself may be at an address. */
  readonly mayBeAt: (address: string) => boolean;
  /** It is gone, by whomever; `destroy` is told, too. */
  readonly closed: () => void;
  /** The process of its page has ended; the window is there, and empty. */
  readonly pageGone: (reason: string) => void;
}

/**
 * A window that fills its display, without a frame, over everything else. Nothing may be asked of it once it is gone.
 */
export interface KioskWindow {
  bounds(): Rectangle;
  isKiosk(): boolean;
  /** Where it ends up may be known a while later only. */
  moveTo(bounds: Rectangle): void;
  /** Resolves when the page is there, rejects when it could not be had; of a page that hangs, neither. */
  load(address: string): Promise<void>;
  /**
   * The page's own answer where it is: while another is being loaded, the one before. Of a page that hangs, none ever.
   */
  address(): Promise<string>;
  /** Ends the process of the page, whatever that does. */
  endPage(): void;
  /** JPEG in base64; null: there is none. */
  picture(): Promise<string | null>;
  /** Asks nobody. */
  destroy(): void;
}

export interface Machine {
  displays(): Displays;
  /** They came, went, or are otherwise: which, is to be asked. */
  onDisplays(listener: () => void): Undo;
  onResume(listener: () => void): Undo;
  /** The graphics process has crashed; Chromium starts it again. */
  onGpuGone(listener: () => void): Undo;
  /** False: it runs without the graphics processor already. */
  readonly usesGpu: boolean;
  /** False: the system puts windows where it likes (Wayland). */
  readonly placesWindows: boolean;
  /** Throws where there can be none. */
  open(options: WindowOptions): KioskWindow;
  /** The displays of this computer do not fall asleep. */
  keepAwake(): Undo;
}
