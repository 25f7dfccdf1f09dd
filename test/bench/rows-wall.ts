/**
 * Time differences between the panels of a wall, measured from outside: four agents with a Chromium each on this
 * machine, one of them rotated. Goals: stills within a refresh, which is the limit without genlock; the same video
 * frame three quarters of the time, and never more than one frame apart.
 */
import { clip } from '../../player/screen/testing/pictures.ts';
import { figuresOf, rank, type WallFigures } from '../e2e/wall-figures.ts';
import { checkPixels, FILM_SECONDS, FILMS, hangWall, prepareWall, type WallRig, watchWall } from '../e2e/wall-rig.ts';
import { type Group, must } from './row.ts';

/** Longest measurement in minutes. Longer measurements give no other result. */
const MOST_MINUTES = 10;
/** Milliseconds of one refresh at 60 Hz, plus 4 ms, because the browser reports times in steps of 4 ms. */
const REFRESH_MS = 16.7 + 4;
const FRAME_MS = 40;

const rows = [
  {
    key: 'wallStills',
    what: 'wall of four: changes of stills apart, p99',
    unit: 'ms',
    budget: REFRESH_MS,
    better: 'less',
  },
  { key: 'wallSame', what: 'wall of four: the same frame of a clip on all', unit: '%', budget: 75, better: 'more' },
  {
    key: 'wallVideo',
    what: 'wall of four: apart at one instant in a clip, p99',
    unit: 'ms',
    budget: FRAME_MS,
    better: 'less',
  },
  {
    key: 'wallLarge',
    what: 'wall of four: the same frame of a clip of 720 lines',
    unit: '%',
    budget: 75,
    better: 'more',
  },
] as const;

/** @param minutes measurement of each clip, at most 10 */
export const wallRows = (minutes: number): Group => ({
  rows,
  async run({ wants, report }) {
    const measure = async (
      film: (typeof FILMS)[keyof typeof FILMS],
      tell: (figures: WallFigures, note: string, rig: WallRig) => Promise<void> | void,
    ) => {
      const bytes = clip(film.source, FILM_SECONDS);
      must(bytes !== null, 'there is no ffmpeg on this machine to make a clip with');
      const endings: (() => unknown)[] = [];
      try {
        const rig = await hangWall({ after: (run) => endings.push(run as () => unknown) });
        await prepareWall(rig, bytes as Buffer);
        const figures = figuresOf(await watchWall(rig, Math.min(minutes, MOST_MINUTES) * 60_000), FILM_SECONDS * 1_000);
        await tell(figures, `${film.what}, decoded by the processor`, rig);
      } finally {
        for (const end of endings.reverse()) await end();
      }
    };
    if (wants('wallStills') || wants('wallSame') || wants('wallVideo')) {
      await measure(FILMS.small, async ({ stills, clip }, note, rig) => {
        report('wallStills', {
          value: rank(stills, 0.99),
          note: `p50 ${rank(stills, 0.5).toFixed(1)}, p95 ${rank(stills, 0.95).toFixed(1)} over ${stills.length}; presented, told in steps of 4 ms`,
        });
        const { apart } = (await rig.call('GET', `/api/walls/${rig.wallId}`)).sync;
        const told = apart
          ? `; the wall's page says ${(apart.same_share * 100).toFixed(0)} %, p99 ${apart.apart_p99_ms} ms`
          : '';
        const { taken, right } = await checkPixels(rig);
        report('wallSame', {
          value: 100 * (clip?.share ?? Number.NaN),
          note: `${note}${told}; ${right} of ${taken} photographs show what was reported`,
        });
        report('wallVideo', { value: clip?.p99 ?? Number.NaN, note: `p50 ${clip?.p50}` });
      });
    }
    if (wants('wallLarge')) {
      await measure(FILMS.large, ({ stills, clip }, note) => {
        report('wallLarge', {
          value: 100 * (clip?.share ?? Number.NaN),
          note: `p99 ${clip?.p99} ms, stills p99 ${rank(stills, 0.99).toFixed(1)} ms; ${note}`,
        });
      });
    }
  },
});
