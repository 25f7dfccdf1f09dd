/**
 * Commands of the server. Each command runs once, also across restarts, and its result is sent again on each request.
 */
import { z } from 'zod';
import { COMMANDS, type CommandFunctions, isCommandName } from '../../shared/protocol/commands.ts';
import { firstIssue } from '../../shared/protocol/incoming.ts';
import type { CommandPush, PlayerMessage } from '../../shared/protocol/messages.ts';
import { messageOf } from './errors.ts';
import { readDocument } from './files/documents.ts';
import type { Panel } from './panel.ts';
import type { Host, Machine, Outcome } from './ports.ts';
import { Serial } from './serial.ts';

const NAME = 'commands';
/**
 * Number of remembered commands. The longest-lived command (`update`) expires after 24 h, and no operator sends 100
 * commands in that time.
 */
const MOST = 100;
const NOT_KEPT =
  'the player did not run the command: the start of the command could not be saved, so the command would run again after every restart';

const Seen = z.object({
  id: z.string(),
  command: z.string(),
  /** Null: the command has begun, and its result is not known yet, or will never be known because the player ended. */
  outcome: z.object({ status: z.enum(['done', 'failed', 'unsupported']), error: z.string().optional() }).nullable(),
});
type Seen = z.infer<typeof Seen>;
const Saved = z.object({ format: z.literal(1), seen: z.array(Seen).max(MOST) });

interface Deps extends Pick<Host, 'documents' | 'log' | 'machine'> {
  readonly panel: Pick<Panel, 'order'>;
  /** Returns the server clock, epoch milliseconds. */
  readonly now: () => number;
  readonly changed: () => void;
  readonly result: (id: string, outcome: Outcome) => void;
}

export class Commands {
  readonly #deps: Deps;
  readonly #functions: CommandFunctions<Promise<Outcome>>;
  readonly #queue = new Serial();
  #seen: Seen[] = [];
  #launchUrl: string | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
    // The commands screen_on and screen_off always succeed: the page turns black and silent even if the panel itself
    // cannot be switched.
    const screen = (on: boolean) => deps.panel.order(on).then(() => ({ status: 'done' as const }));
    this.#functions = {
      ...deps.machine.commands,
      screen_on: () => screen(true),
      screen_off: () => screen(false),
      launch: ({ url = null }) => {
        this.#launchUrl = url;
        deps.changed();
        return deps.machine.launched(url);
      },
    };
  }

  async start(): Promise<void> {
    const saved = await readDocument(this.#deps, NAME, Saved);
    // Completes the commands that the last run began and did not finish: a reboot that led to this start has succeeded,
    // and all others count as interrupted.
    this.#seen = (saved?.seen ?? []).map((seen) =>
      seen.outcome ? seen : { ...seen, outcome: interrupted(seen.command) },
    );
  }

  get launchUrl(): string | null {
    return this.#launchUrl;
  }

  receive(push: CommandPush): Promise<void> {
    return this.#queue.run(async () => {
      const known = this.#seen.find((seen) => seen.id === push.id);
      if (known?.outcome) return this.#deps.result(push.id, known.outcome as Outcome);
      if (push.expires_at <= this.#deps.now())
        return this.#deps.result(push.id, { status: 'failed', error: 'expired before it arrived' });
      // The command is saved before it begins. Otherwise a reboot command would be unknown after the reboot and run
      // again forever.
      const isKept = await this.#remember({ id: push.id, command: push.command, outcome: null });
      const outcome: Outcome =
        isKept || !endsPlayer(push.command)
          ? await this.#carryOut(push).catch((error) => ({
              status: 'failed',
              error: messageOf(error).slice(0, 2_000),
            }))
          : { status: 'failed', error: NOT_KEPT };
      this.#deps.log.info(`command ${push.command}: ${outcome.status}`);
      this.#deps.result(push.id, outcome);
      await this.#remember({ id: push.id, command: push.command, outcome: { ...outcome } });
    });
  }

  async forget(): Promise<void> {
    this.#seen = [];
    this.#launchUrl = null;
    await this.#deps.documents.remove(NAME);
  }

  async #carryOut({ command, payload }: CommandPush): Promise<Outcome> {
    if (!isCommandName(command)) return { status: 'unsupported', error: 'the player is too old for this command' };
    const read = COMMANDS[command].payload.safeParse(payload);
    if (!read.success) return { status: 'failed', error: firstIssue(read.error) };
    return (this.#functions[command] as (payload: object) => Promise<Outcome>)(read.data);
  }

  /** @returns false if the disk refuses the write; the entry is then valid in this run only */
  async #remember(seen: Seen): Promise<boolean> {
    this.#seen = [...this.#seen.filter((old) => old.id !== seen.id), seen].slice(-MOST);
    try {
      await this.#deps.documents.write(NAME, JSON.stringify({ format: 1, seen: this.#seen }));
      return true;
    } catch (error) {
      this.#deps.log.warn(`that the command ${seen.command} came could not be saved`, error);
      return false;
    }
  }
}

const endsPlayer = (command: string): boolean => isCommandName(command) && COMMANDS[command].endsPlayer;

const interrupted = (command: string): Seen['outcome'] =>
  endsPlayer(command) ? { status: 'done' } : { status: 'failed', error: 'the player ended before it was finished' };

/** Returns the answer to a request for a screenshot. */
export const takeScreenshot = async (
  machine: Pick<Machine, 'screenshot'>,
  id: string,
): Promise<Extract<PlayerMessage, { type: 'screenshot.result' }>> => {
  const shot = await machine.screenshot();
  return {
    type: 'screenshot.result',
    id,
    ...('error' in shot ? { error: shot.error.slice(0, 2_000) } : shot),
  };
};
