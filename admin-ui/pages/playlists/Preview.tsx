import { useQuery } from '@tanstack/react-query';
import { Pause, Play, SkipBack, SkipForward, Volume2, VolumeX } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Layout } from '../../../shared/contract/content/layouts.ts';
import type { PlaylistWithItems } from '../../../shared/contract/content/playlists.ts';
import { toProgramLayout } from '../../../shared/program/from-records.ts';
import type { Cue, Program, Scene } from '../../../shared/program/program.ts';
import { resolve } from '../../../shared/program/resolve.ts';
import { playlistScreensQuery } from '../../api/playlists.ts';
import { Segments } from '../../components/choices/Choices.tsx';
import { IconButton } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/controls/Dialog.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { Progress } from '../../components/frame/Page.tsx';
import { serverNow } from '../../components/hooks/serverClock.ts';
import { useReducedMotion } from '../../components/hooks/useMedia.ts';
import { toProgramItem } from '../../domain/preview/programItems.ts';
import { type ScreenShape, shapeOf, shapesOf, turnedTo } from '../../domain/screens/screenShape.utils.ts';
import { formatClock } from '../../i18n/format.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { PreviewStage } from './PreviewStage.tsx';
import { type Change, changesAt, draftProgram, localText } from './preview.utils.ts';
import './preview.css';

const WIDE = { width: 1920, height: 1080 } as const;

/** Returns the shapes of the screens that play the playlist, the most frequent shape first. */
const useShapes = (playlistId: string): ScreenShape[] =>
  shapesOf(useQuery(playlistScreensQuery(playlistId)).data ?? []);

/** Plays the draft with the engine of the players. */
export function Preview({
  playlist,
  layout,
  onClose,
}: {
  playlist: PlaylistWithItems;
  layout: Layout | undefined;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const [start, setStart] = useState(serverNow);
  const hanging = useShapes(playlist.id);
  const [chosen, setShape] = useState<ScreenShape>();
  const shape = chosen ?? hanging[0] ?? shapeOf(layout ?? WIDE);
  const [sound, setSound] = useState(false);
  const program = useMemo(
    () =>
      draftProgram(
        { ...playlist, items: playlist.items.map((item) => toProgramItem(item, playlist.transition)) },
        layout && toProgramLayout(layout),
        start,
      ),
    [playlist, layout, start],
  );
  const timezone = useMemo(() => Intl.DateTimeFormat().resolvedOptions().timeZone, []);
  const playback = usePlayback(program, timezone, start);
  const { at, playing, scene, changes, setPlaying, go } = playback;
  const size = turnedTo(layout ?? WIDE, shape);
  const [main] = scene.zones
    .filter((z) => z.cue)
    .toSorted((a, b) => b.zone.width * b.zone.height - a.zone.width * a.zone.height);
  const cue = main?.cue;
  return (
    <Dialog title={t('common.previewOf', { name: playlist.name })} size="full" onClose={onClose}>
      <div className="player">
        <div className="player-room">
          <PreviewStage scene={scene} changes={changes} at={at} playing={playing} sound={sound} {...size} />
        </div>
        <div className="player-bar">
          <span className="player-buttons">
            <IconButton
              icon={SkipBack}
              label={t('common.back')}
              onPress={() => go(cue && at - cue.since > 1500 ? cue.since : Math.max(start, (cue?.since ?? at) - 1))}
            />
            <IconButton
              icon={playing ? Pause : Play}
              variant="primary"
              label={playing ? t('playlist.previewPause') : t('playlist.previewPlay')}
              onPress={() => setPlaying(!playing)}
            />
            <IconButton icon={SkipForward} label={t('playlist.previewNext')} onPress={() => go(scene.until)} />
            <IconButton
              icon={sound ? Volume2 : VolumeX}
              label={sound ? t('playlist.muted') : t('playlist.previewSoundOn')}
              onPress={() => setSound(!sound)}
            />
          </span>
          <div className="player-now">
            <p className="truncate" aria-live="polite">
              {cue ? t('screens.showing', { name: cue.item.name }) : t('playlist.previewNothing')}
            </p>
            {cue && <TurnProgress cue={cue} at={at} />}
            <small className="truncate">
              {main?.next ? t('playlist.previewThen', { name: main.next.item.name }) : '\u00a0'}
            </small>
          </div>
          <TextField
            label={t('playlist.previewAt')}
            type="datetime-local"
            value={localText(start)}
            onChange={(text) => {
              const chosen = new Date(text).getTime();
              if (!Number.isFinite(chosen)) return;
              setStart(chosen);
              go(chosen);
            }}
            hint={t('playlist.previewAtHint', { time: format.time(at / 1000, true) })}
          />
          {(hanging.length !== 1 || hanging[0] !== shapeOf(layout ?? WIDE)) && (
            <Segments
              label={t('activity.screen')}
              value={shape}
              onChange={setShape}
              options={[
                { value: 'landscape', label: t('layouts.sizeOf.landscape') },
                { value: 'portrait', label: t('layouts.sizeOf.portrait') },
              ]}
            />
          )}
        </div>
      </div>
    </Dialog>
  );
}

function TurnProgress({ cue, at }: { cue: Cue; at: number }) {
  const { t } = useTranslation();
  const length = cue.until - cue.since;
  const gone = Math.min(length, Math.max(0, at - cue.since));
  return (
    <span className="player-turn">
      <Progress share={gone / length} label={t('playlist.previewProgress')} />
      <small>
        {formatClock(Math.floor(gone / 1000))} / {formatClock(Math.round(length / 1000))}
      </small>
    </span>
  );
}

type Playback = {
  /** The shown instant in epoch milliseconds. */
  readonly at: number;
  readonly playing: boolean;
  readonly scene: Scene;
  /** Transitions in progress, by zone id. */
  readonly changes: ReadonlyMap<string, Change>;
  readonly setPlaying: (on: boolean) => void;
  readonly go: (at: number) => void;
};

/** Milliseconds between updates of the progress bar. Changes of items have a separate timer and are exact. */
const TICK_MS = 200;
const NO_CHANGES: ReadonlyMap<string, Change> = new Map();

/**
 * Clock that can be paused and set, and the scene of a screen with this program at the time of the clock. Uses the
 * function with which players compute scenes.
 */
const usePlayback = (program: Program, timezone: string, start: number): Playback => {
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
  const still = useReducedMotion();
  const changes = still ? NO_CHANGES : changesAt({ program, timezone, start }, scene, at);
  const moves = changes.size > 0 && playing;
  useEffect(() => {
    if (!moves) return;
    let frame = requestAnimationFrame(function draw() {
      setAt(clock.at + performance.now() - clock.since);
      frame = requestAnimationFrame(draw);
    });
    return () => cancelAnimationFrame(frame);
  }, [moves, clock]);
  const setPlaying = useCallback(
    (on: boolean) =>
      setClock((c) => ({
        at: c.playing ? c.at + performance.now() - c.since : c.at,
        since: performance.now(),
        playing: on,
      })),
    [],
  );
  const go = useCallback((to: number) => setClock((c) => ({ ...c, at: to, since: performance.now() })), []);
  return { at, playing, scene, changes, setPlaying, go };
};
