/**
 * Computes for each screen what a campaign of headquarters would change, before the campaign is sent. Changes
 * nothing.
 */
import { MAX_NAMED, type StorePreview, type StorePreviewAnswer } from '../../../shared/chain/store-preview.ts';
import type { Program } from '../../../shared/program/program.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { type Other, type PreviewedProgram, previewPrograms } from '../../programs/previewed-programs.ts';
import { DownlinkRefused } from '../connection/requests.ts';

/** Maximum time in milliseconds that a preview computes per turn of the event loop. */
const SLICE_MS = 4;

interface Deps {
  readonly clock: Clock;
  /** Screens of the store, sorted by name. */
  readonly screens: () => readonly { readonly id: string; readonly name: string; readonly tags: readonly string[] }[];
  readonly programOf: (
    screenId: string,
  ) => { readonly program: Program; readonly placement: { readonly timezone: string } } | undefined;
  /** Time zone for the times of a campaign. */
  readonly timezone: () => string;
}

/** Returns the handler for preview requests of headquarters. @throws DownlinkRefused */
export const createPreview =
  ({ clock, screens, programOf, timezone }: Deps) =>
  async (asked: StorePreview): Promise<StorePreviewAnswer> => {
    const all = screens();
    const wanted = new Set(asked.screen_tags.map((tag) => tag.toLowerCase()));
    const meant = all.filter(({ tags }) => wanted.size === 0 || tags.some((tag) => wanted.has(tag.toLowerCase())));
    const time = { timezone: timezone(), now: clock.now() };
    const known = new Map<Program, Map<string, PreviewedProgram>>();
    const hidden = new Sums();
    const before = new Sums();
    const changed: string[] = [];
    let began = performance.now();
    const isLong = () => performance.now() - began >= SLICE_MS;
    const breathe = async () => {
      await new Promise(setImmediate);
      began = performance.now();
    };
    for (const { id, name } of meant) {
      if (isLong()) await breathe();
      const found = programOf(id);
      if (!found) continue;
      const { program, placement } = found;
      const byZone = known.get(program) ?? new Map<string, PreviewedProgram>();
      known.set(program, byZone);
      let rehearsed = byZone.get(placement.timezone);
      if (!rehearsed) {
        const steps = previewPrograms({ program, timezone: placement.timezone }, asked, time);
        let step = next(steps);
        for (; !step.done; step = next(steps)) if (isLong()) await breathe();
        byZone.set(placement.timezone, (rehearsed = step.value));
      }
      if (rehearsed.isChanged) changed.push(name);
      hidden.add(rehearsed.hidden);
      before.add(rehearsed.before);
    }
    return {
      screens: all.length,
      meant: meant.length,
      changes: changed.length,
      changed_names: changed.slice(0, MAX_NAMED),
      hidden: hidden.most,
      before: before.most,
    };
  };

const next = (steps: ReturnType<typeof previewPrograms>) => {
  try {
    return steps.next();
  } catch {
    throw new DownlinkRefused(
      'unsupported',
      'This store’s version of Vitrine does not understand the times of the campaign. Update Vitrine in the store.',
    );
  }
};

class Sums {
  readonly #all = new Map<string, Other & { screens: number }>();

  add(others: readonly Other[]): void {
    for (const { what, name } of others) {
      const key = `${what} ${name}`;
      const sum = this.#all.get(key);
      if (sum) sum.screens++;
      else this.#all.set(key, { what, name: name.slice(0, 500), screens: 1 });
    }
  }

  get most(): (Other & { screens: number })[] {
    return [...this.#all.values()].sort((a, b) => b.screens - a.screens).slice(0, MAX_NAMED);
  }
}
