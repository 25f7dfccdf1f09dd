/**
 * Keeps media elements of the page for reuse. Chromium frees the decoder of an element late, and its buffers only when
 * its source is removed, so new elements for each play would use gigabytes within a night.
 */
import { median } from '../playing/sync-stats.ts';

export type MediaKind = 'video' | 'audio';

/** Start latency that is assumed until a clip has started on this machine. */
const UNKNOWN_LATENCY_MS = 8;
const LONGEST_LATENCY_MS = 150;
const KEPT_LATENCIES = 9;
/** Number of clips whose frame rate is remembered. The least recently used clip is dropped first. */
const MOST_CLIPS = 200;
const SAME_STEP_MS = 1.5;
/** Maximum number of pictures that stay loaded. */
const MOST_PICTURES = 40;

export class MediaPool {
  #free: Record<MediaKind, HTMLMediaElement[]> = { video: [], audio: [] };
  /** Latencies of the most recent starts: milliseconds from play() to the first movement. */
  #latencies: Record<MediaKind, number[]> = { video: [], audio: [] };

  /** Key: address of a clip. Value: milliseconds between two of its frames. */
  #frames = new Map<string, { readonly last: number; readonly mean: number | undefined }>();

  /** Loaded pictures by address, least recently used first. */
  #pictures = new Map<string, HTMLImageElement>();

  acquire(kind: MediaKind): HTMLMediaElement {
    const element = this.#free[kind].pop() ?? this.#make(kind);
    element.muted = true;
    return element;
  }

  release(kind: MediaKind, element: HTMLMediaElement): void {
    element.pause();
    element.muted = true;
    element.loop = false;
    element.playbackRate = 1;
    element.removeAttribute('src');
    element.load();
    element.remove();
    this.#free[kind].push(element);
  }

  /**
   * Keeps a picture loaded for its next play. Chromium treats a reloaded picture as a new picture and remembers the
   * files of the last thousand: gigabytes after a day of photos.
   */
  cache(picture: HTMLImageElement): void {
    this.#pictures.delete(picture.src);
    this.#pictures.set(picture.src, picture);
    const [longest] = this.#pictures.values();
    if (this.#pictures.size <= MOST_PICTURES || !longest) return;
    this.#pictures.delete(longest.src);
    longest.removeAttribute('src');
  }

  /** Returns the median of the last latencies. A start on a busy machine does not predict the next start. */
  startLatency(kind: MediaKind): number {
    return median(this.#latencies[kind]) ?? UNKNOWN_LATENCY_MS;
  }

  learnLatency(kind: MediaKind, measured: number): void {
    const known = this.#latencies[kind];
    known.push(Math.min(LONGEST_LATENCY_MS, Math.max(0, measured)));
    if (known.length > KEPT_LATENCIES) known.shift();
  }

  /** Returns the milliseconds between two frames of a clip; undefined: not measured yet. */
  frameMs(url: string): number | undefined {
    return this.#frames.get(url)?.mean;
  }

  /**
   * Adds the time between two consecutive frames. Steps are often in whole milliseconds (41, 42, 42), and a late frame
   * makes a double step. Only a step that occurs twice in a row counts, and the mean of such steps is used.
   */
  learnFrame(url: string, step: number): void {
    const { last, mean } = this.#frames.get(url) ?? { last: 0, mean: undefined };
    this.#frames.delete(url);
    this.#frames.set(url, { last: step, mean: Math.abs(step - last) > SAME_STEP_MS ? mean : meanOf(mean, step) });
    if (this.#frames.size > MOST_CLIPS) this.#frames.delete(this.#frames.keys().next().value ?? '');
  }

  #make(kind: MediaKind): HTMLMediaElement {
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

const meanOf = (mean: number | undefined, step: number): number =>
  mean === undefined || Math.abs(step - mean) > SAME_STEP_MS ? step : mean + (step - mean) * 0.05;
