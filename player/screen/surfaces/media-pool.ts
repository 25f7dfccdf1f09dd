/**
 * The page's media elements, used again and again: Chromium frees a decoder late and an element's buffers only when its
 * source is taken away, so new elements for each turn grow to gigabytes within a night.
 */
export type MediaKind = 'video' | 'audio';

export class MediaPool {
  #free: Record<MediaKind, HTMLMediaElement[]> = { video: [], audio: [] };
  #made = 0;
  /** Milliseconds from play() to the first moving frame, learned from every clip that starts. */
  startLatency = 15;
  #latencyKnown = false;

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

  learnLatency(measured: number): void {
    const weight = this.#latencyKnown ? 0.3 : 1;
    this.#latencyKnown = true;
    this.startLatency += (Math.min(150, Math.max(0, measured)) - this.startLatency) * weight;
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
