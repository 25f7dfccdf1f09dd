/**
 * Script that the player injects into every page before the page's own scripts. It blocks the keys, wheel turns and
 * mouse buttons by which a visitor could control the browser, and keeps the page silent until sound is allowed. The
 * screen page around the frame cannot do this for a page of another origin.
 */
import { isForbidden } from '../../screen/over/keys.ts';

/** This function runs in the pages, so it must not refer to anything outside of itself. */
function guard(forbidden: typeof isForbidden, soundName: string): void {
  // In the screen page, the script only announces that the frames are watched, and blocks nothing. The screen page
  // handles its own keys (screen/over/kiosk.ts).
  if (window === window.top) return void Object.defineProperty(window, 'vitrineWatched', { value: soundName });

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
  // The fourth and fifth mouse button would navigate, the middle button would open windows, and a context menu would
  // offer both.
  for (const name of ['mousedown', 'mouseup', 'auxclick'] as const)
    listen(name, (event) => (event as MouseEvent).button > (name === 'auxclick' ? 0 : 2) && event.preventDefault());
  listen('contextmenu', (event) => event.preventDefault());

  let muted = true;
  const media = HTMLMediaElement.prototype;
  const real = Object.getOwnPropertyDescriptor(media, 'muted') as {
    get(this: HTMLMediaElement): boolean;
    set(this: HTMLMediaElement, muted: boolean): void;
  };
  /** Muted state that the page itself has requested, by media element. It is restored when sound is allowed. */
  const wanted = new WeakMap<HTMLMediaElement, boolean>();
  let players: WeakRef<HTMLMediaElement>[] = [];
  const hold = (player: unknown): void => {
    if (!(player instanceof HTMLMediaElement)) return;
    if (!wanted.has(player)) {
      wanted.set(player, real.get.call(player));
      players.push(new WeakRef(player));
    }
    const is = muted || wanted.get(player) === true;
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

  // Handles generated sound (Web Audio): a gain node is inserted before each output.
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
      gate.gain.value = muted ? 0 : 1;
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
  const speech = window.speechSynthesis as SpeechSynthesis | undefined;
  if (speech) {
    const { speak } = speech;
    speech.speak = (utterance) => {
      if (muted) utterance.volume = 0;
      speak.call(speech, utterance);
    };
  }

  const say = (to: Window | null, message: object): void => to?.postMessage({ type: soundName, ...message }, '*');
  const set = (now: boolean): void => {
    muted = now;
    players = players.filter((player) => player.deref());
    for (const player of players) hold(player.deref());
    gates = gates.filter((gate) => gate.deref());
    for (const gate of gates) gate.deref()?.gain.setValueAtTime(now ? 0 : 1, 0);
    if (now) speech?.cancel();
    for (let at = 0; at < window.frames.length; at++) say(window.frames[at] ?? null, { muted: now });
  };
  window.addEventListener(
    'message',
    (event: MessageEvent<unknown>) => {
      const { data, source } = event;
      if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== soundName) return;
      // A message between the player and this script, which the page must not receive.
      event.stopImmediatePropagation();
      if ('muted' in data && source === window.parent) set(data.muted === true);
      else if (!('muted' in data)) say(source as Window | null, { muted });
    },
    true,
  );
  say(window.parent, {});
}

/** @param secret known only to the player, so that no page can allow sound in its frames */
export const frameGuard = (secret: string): string =>
  `(${guard.toString()})(${isForbidden.toString()}, ${JSON.stringify(`vitrine:sound:${secret}`)});`;
