import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Program, Scene } from '../../../shared/program/program.ts';
import { resolve } from '../../../shared/program/resolve.ts';

export type Playback = {
  /** Epoch milliseconds of what is shown. */
  readonly at: number;
  readonly playing: boolean;
  readonly scene: Scene;
  readonly setPlaying: (on: boolean) => void;
  readonly go: (at: number) => void;
};

/** Small enough for a bar to move smoothly; changes themselves come on time by a timer of their own. */
const TICK_MS = 200;

/** A clock that can be stopped and set, and what a screen with this program shows then: the very function that players ask. */
export const usePlayback = (program: Program, timezone: string, start: number): Playback => {
  const [clock, setClock] = useState(() => ({ at: start, since: performance.now(), playing: true }));
  const [at, setAt] = useState(start);
  const { playing } = clock;
  useEffect(() => {
    const now = () => (clock.playing ? clock.at + performance.now() - clock.since : clock.at);
    setAt(now());
    if (!clock.playing) return;
    let change: ReturnType<typeof setTimeout>;
    const onChange = () => {
      setAt(now());
      plan();
    };
    const plan = () => {
      change = setTimeout(onChange, Math.min(60_000, Math.max(1, resolve(program, timezone, now()).until - now())));
    };
    plan();
    const tick = setInterval(() => setAt(now()), TICK_MS);
    return () => {
      clearTimeout(change);
      clearInterval(tick);
    };
  }, [clock, program, timezone]);
  const scene = useMemo(() => resolve(program, timezone, at), [program, timezone, at]);
  const setPlaying = useCallback((on: boolean) => setClock((c) => ({ at: c.playing ? c.at + performance.now() - c.since : c.at, since: performance.now(), playing: on })), []);
  const go = useCallback((to: number) => setClock((c) => ({ ...c, at: to, since: performance.now() })), []);
  return { at, playing, scene, setPlaying, go };
};
