/**
 * Script that the player injects into every page before the page's own scripts: it blocks keys, wheel and buttons of
 * the browser, and keeps the page silent until sound is allowed. The surrounding page cannot do this for a page of
 * another origin.
 */
import { isForbidden } from '../../screen/over/keys.ts';

/*
 * The functions below run in the pages as text, so they must not refer to anything outside of themselves. `guard` gets
 * the other functions as arguments.
 */

/** Blocks keys, wheel and buttons of the browser. */
function blockControls(forbidden: typeof isForbidden): void {
  const listen = <K extends keyof WindowEventMap>(name: K, hear: (event: WindowEventMap[K]) => void): void =>
    window.addEventListener(name, hear, { capture: true, passive: false });
  listen('keydown', (event) => {
    const { key, ctrlKey: ctrl, altKey: alt, metaKey: meta, shiftKey: shift } = event;
    if (forbidden({ key, ctrl, alt, meta, shift, altGraph: event.getModifierState('AltGraph') }))
      event.preventDefault();
  });
  const keepZoom = (event: WheelEvent): void => {
    if (event.ctrlKey) event.preventDefault();
  };
  listen('wheel', keepZoom);
  // Chromium may miss a wheel listener that was added before there is anything to draw, so it is added again then.
  const again = (): void => {
    window.removeEventListener('wheel', keepZoom, true);
    listen('wheel', keepZoom);
  };
  document.addEventListener('DOMContentLoaded', again);
  requestAnimationFrame(again);
  // The fourth and fifth mouse button navigate, and the middle button opens windows. A context menu offers both.
  for (const name of ['mousedown', 'mouseup', 'auxclick'] as const)
    listen(name, (event) => (event as MouseEvent).button > (name === 'auxclick' ? 0 : 2) && event.preventDefault());
  listen('contextmenu', (event) => event.preventDefault());
}

/** Applies `isMuted` to a kind of sound. Returns a function that applies it again after a change. */
type MuteSound = (isMuted: () => boolean) => () => void;

/** Media elements. The page reads the muted state that it set itself. */
function muteMedia(isMuted: () => boolean): () => void {
  const media = HTMLMediaElement.prototype;
  const real = Object.getOwnPropertyDescriptor(media, 'muted') as {
    get(this: HTMLMediaElement): boolean;
    set(this: HTMLMediaElement, muted: boolean): void;
  };
  /** Muted state that the page itself requested for each media element. */
  const wanted = new WeakMap<HTMLMediaElement, boolean>();
  let players: WeakRef<HTMLMediaElement>[] = [];
  const hold = (player: unknown): void => {
    if (!(player instanceof HTMLMediaElement)) return;
    if (!wanted.has(player)) {
      wanted.set(player, real.get.call(player));
      players.push(new WeakRef(player));
    }
    const is = isMuted() || wanted.get(player) === true;
    if (real.get.call(player) !== is) real.set.call(player, is);
  };
  Object.defineProperty(media, 'muted', {
    configurable: true,
    enumerable: true,
    get(this: HTMLMediaElement) {
      return wanted.get(this) ?? real.get.call(this);
    },
    set(this: HTMLMediaElement, value: unknown) {
      hold(this);
      wanted.set(this, Boolean(value));
      hold(this);
    },
  });
  for (const name of ['src', 'srcObject', 'autoplay'] as const) {
    const property = Object.getOwnPropertyDescriptor(media, name);
    if (!property?.set) continue;
    const { set } = property;
    Object.defineProperty(media, name, {
      ...property,
      set(this: HTMLMediaElement, value: unknown) {
        hold(this);
        set.call(this, value);
      },
    });
  }
  const { play } = media;
  media.play = function (this: HTMLMediaElement) {
    hold(this);
    return play.call(this);
  };
  // Handles media that starts without a script: elements of the document and of its closed shadow roots.
  const watch = (root: EventTarget): void => {
    for (const name of ['loadstart', 'loadedmetadata', 'play', 'playing', 'volumechange'])
      root.addEventListener(name, ({ target }) => hold(target), true);
  };
  watch(document);
  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function (this: Element, init) {
    const root = attachShadow.call(this, init);
    watch(root);
    return root;
  };
  return () => {
    players = players.filter((player) => player.deref());
    for (const player of players) hold(player.deref());
  };
}

/** Generated sound (Web Audio): a gain node is inserted before each output. */
function muteAudio(isMuted: () => boolean): () => void {
  let gates: WeakRef<GainNode>[] = [];
  const gateOf = new WeakMap<BaseAudioContext, GainNode>();
  const { connect, disconnect } = AudioNode.prototype as unknown as Record<
    'connect' | 'disconnect',
    (this: AudioNode, ...args: unknown[]) => unknown
  >;
  const gated = (to: unknown): unknown => {
    if (!(to instanceof AudioDestinationNode) || to.context instanceof OfflineAudioContext) return to;
    let gate = gateOf.get(to.context);
    if (!gate) {
      gate = to.context.createGain();
      gate.gain.value = isMuted() ? 0 : 1;
      connect.call(gate, to);
      gateOf.set(to.context, gate);
      gates.push(new WeakRef(gate));
    }
    return gate;
  };
  Object.assign(AudioNode.prototype, {
    connect(this: AudioNode, to: unknown, ...rest: unknown[]) {
      connect.call(this, gated(to), ...rest);
      return to instanceof AudioNode ? to : undefined;
    },
    disconnect(this: AudioNode, ...args: unknown[]) {
      return disconnect.call(this, ...args.map(gated));
    },
  });
  return () => {
    gates = gates.filter((gate) => gate.deref());
    for (const gate of gates) gate.deref()?.gain.setValueAtTime(isMuted() ? 0 : 1, 0);
  };
}

/** Speech. Speech in progress ends when the page is muted. */
function muteSpeech(isMuted: () => boolean): () => void {
  const speech = window.speechSynthesis as SpeechSynthesis | undefined;
  if (speech) {
    const { speak } = speech;
    speech.speak = (utterance) => {
      if (isMuted()) utterance.volume = 0;
      speak.call(speech, utterance);
    };
  }
  return () => {
    if (isMuted()) speech?.cancel();
  };
}

/** Blocks the controls, and keeps the page and its frames silent until the parent frame allows sound. */
function guard(
  forbidden: typeof isForbidden,
  soundName: string,
  block: typeof blockControls,
  sounds: readonly MuteSound[],
): void {
  // In the screen page the script only announces that the frames are watched. The screen page handles its own keys
  // (screen/over/kiosk.ts).
  if (window === window.top) return void Object.defineProperty(window, 'vitrineWatched', { value: soundName });

  block(forbidden);
  let muted = true;
  const outputs = sounds.map((mute) => mute(() => muted));

  const say = (to: Window | null, message: object): void => to?.postMessage({ type: soundName, ...message }, '*');
  const set = (now: boolean): void => {
    muted = now;
    for (const update of outputs) update();
    for (let at = 0; at < window.frames.length; at++) say(window.frames[at] ?? null, { muted: now });
  };
  window.addEventListener(
    'message',
    (event: MessageEvent<unknown>) => {
      const { data, source } = event;
      if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== soundName) return;
      // An internal message, which the page must not receive.
      event.stopImmediatePropagation();
      if ('muted' in data && source === window.parent) set(data.muted === true);
      else if (!('muted' in data)) say(source as Window | null, { muted });
    },
    true,
  );
  say(window.parent, {});
}

const SOUNDS: readonly MuteSound[] = [muteMedia, muteAudio, muteSpeech];

/** @param secret known only to the player, so that no page can allow sound in its frames */
export const frameGuard = (secret: string): string =>
  `(${guard.toString()})(${isForbidden.toString()}, ${JSON.stringify(`vitrine:sound:${secret}`)}, ${blockControls.toString()}, [${SOUNDS.map(String).join(', ')}]);`;
