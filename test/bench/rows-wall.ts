/** How far apart the panels of a wall are: four agents and Chromium windows on this machine, one of them turned. */
import { clip } from '../../player/screen/testing/pictures.ts';
import { FILM, hangWall, measureSkew, type Skew } from '../e2e/wall-rig.ts';
import { type Group, must } from './row.ts';

/** What longer would tell is what the first minutes told. */
const MOST_MINUTES = 10;
/** One refresh at 60 Hz. */
const FRAME_MS = 16.7;

const rows = [
  { key: 'wallStills', what: 'wall of four: changes of stills apart, p99', unit: 'ms', budget: 5, better: 'less' },
  { key: 'wallVideo', what: 'wall of four: frames of a clip apart, p99', unit: 'ms', budget: FRAME_MS, better: 'less' },
] as const;

/** @param minutes how long the wall is watched, 10 at most */
export const wallRows = (minutes: number): Group => ({
  rows,
  async run({ report }) {
    const film = clip(FILM.source, FILM.seconds);
    must(film !== null, 'there is no ffmpeg on this machine to make a clip with');
    const endings: (() => unknown)[] = [];
    try {
      const rig = await hangWall({ after: (run) => endings.push(run as () => unknown) });
      const { still, video } = await measureSkew(rig, film as Buffer, Math.min(minutes, MOST_MINUTES) * 60_000);
      report('wallStills', { value: still.p99, note: noteOf(still) });
      report('wallVideo', { value: video.p99, note: `${noteOf(video)}; ${FILM.what}, decoded by the processor` });
    } finally {
      for (const end of endings) await end();
    }
  },
});

const noteOf = ({ of, all, p50, max }: Skew): string =>
  `p50 ${p50.toFixed(1)}, max ${max.toFixed(1)} over ${of}; ${((100 * all.filter((ms) => ms < FRAME_MS / 2).length) / of).toFixed(0)} % in one refresh; times are told in steps of 0.1 ms`;
