/**
 * The page's media elements, used again and again: Chromium frees a decoder late and an element's buffers only when its
 * source is taken away, so new elements for each turn grow to gigabytes within a night.
 */
export type MediaKind = 'video' | 'audio';

/** Until a clip has started on this machine. */
const UNKNOWN_LATENCY_MS = 8;
const LONGEST_LATENCY_MS = 150;

export class MediaPool {
  #free: Record<MediaKind, HTMLMediaElement[]> = { video: [], audio: [] };
  #made = 0;
  /** Milliseconds from play() to the first movement, learned from every clip that starts. */
  #latency: Record<MediaKind, number | null> = { video: null, audio: null };

  /** Elements ever made; flat however long the page runs. */
  get made(): number {
    return this.#made;
  }

  take(kind: MediaKind): HTMLMediaElement {
    const element = this.#free[kind].pop() ?? this.#make(kind);
    element.muted = true;
    return element;
  }

  give(kind: MediaKind, element: HTMLMediaElement): void {
    element.pause();
    element.muted = true;
    element.loop = false;
    element.playbackRate = 1;
    element.removeAttribute('src');
    element.load();
    element.remove();
    this.#free[kind].push(element);
  }

  startLatency(kind: MediaKind): number {
    return this.#latency[kind] ?? UNKNOWN_LATENCY_MS;
  }

  learnLatency(kind: MediaKind, measured: number): void {
    const known = this.#latency[kind];
    const next = Math.min(LONGEST_LATENCY_MS, Math.max(0, measured));
    this.#latency[kind] = known === null ? next : known + (next - known) * 0.3;
  }

  #make(kind: MediaKind): HTMLMediaElement {
    this.#made++;
    const element = document.createElement(kind);
    element.preload = 'auto';
    element.disableRemotePlayback = true;
    if (element instanceof HTMLVideoElement) {
      element.playsInline = true;
      element.disablePictureInPicture = true;
    }
    return element;
  }
}
