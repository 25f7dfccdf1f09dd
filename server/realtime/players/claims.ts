/**
 * Claims a player that generated its own pairing code. The server proves to the player that a person typed the code
 * here, and learns whether the code is right (shared/protocol/code-proof.ts). For each typed code there is one attempt,
 * so that nobody can guess codes.
 */
import { randomBytes } from 'node:crypto';
import type { WaitingMessage } from '../../../shared/protocol/messages.ts';
import { sameTag } from '../../../shared/protocol/same-tag.ts';
import type { Wheel } from '../wheel.ts';
import type { PlayerSocket } from './player-socket.ts';
import type { Waiting } from './waiting-players.ts';

/**
 * Time limit in milliseconds for the answer of a player. A player answers within milliseconds; a player without an
 * answer counts as disconnected.
 */
const ANSWER_MS = 3_000;

type Answer = Extract<WaitingMessage, { type: 'claim.share' | 'claim.result' }>;

interface Run {
  readonly hear: (answer: Answer) => void;
  readonly giveUp: () => void;
  readonly ended: Promise<boolean>;
}

interface Deps {
  readonly wheel: Wheel;
  readonly fingerprint: () => string;
}

export class Claims {
  readonly #deps: Deps;
  /** Current claim of each connection. A connection has at most one. */
  readonly #runs = new Map<PlayerSocket, Run>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Returns whether the player shows this code and accepted the proof that the code was typed here. Never rejects.
   * @param code normalized by `plainCode`
   */
  async prove(waiting: Waiting, code: string): Promise<boolean> {
    const { socket } = waiting;
    if (!socket) return false;
    for (let before = this.#runs.get(socket); before; before = this.#runs.get(socket)) await before.ended;
    return this.#begin(socket, waiting.secretHash, code);
  }

  receive(socket: PlayerSocket, answer: Answer): void {
    this.#runs.get(socket)?.hear(answer);
  }

  /** Ends the claim of a player. Called when its connection is closed. */
  left(socket: PlayerSocket): void {
    this.#runs.get(socket)?.giveUp();
  }

  #begin(socket: PlayerSocket, secretHash: string, code: string): Promise<boolean> {
    const id = randomBytes(16).toString('hex');
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const end = (proved: boolean) => {
      cancel();
      this.#runs.delete(socket);
      resolve(proved);
    };
    const cancel = this.#deps.wheel.after(ANSWER_MS, () => end(false));
    let receive: Run['hear'] = () => {};
    this.#runs.set(socket, {
      hear: (answer) => void (answer.id === id && receive(answer)),
      giveUp: () => end(false),
      ended: promise,
    });
    // The cryptographic library is loaded when the first player is claimed.
    import('../../../shared/protocol/code-proof.ts').then(
      ({ CodeProof }) => {
        const proof = new CodeProof(
          'server',
          code,
          { id, fingerprint: this.#deps.fingerprint(), secretHash },
          randomBytes(64).toString('hex'),
        );
        let expected: string | undefined;
        receive = (answer) => {
          if (answer.type === 'claim.result')
            return end(expected !== undefined && answer.tag !== undefined && sameTag(answer.tag, expected));
          const tags = expected === undefined ? proof.tags(answer.share) : undefined;
          if (!tags) return end(false);
          expected = tags.player;
          socket.sendMessage({ type: 'claim.proof', id, tag: tags.server });
        };
        if (!socket.sendMessage({ type: 'claim', id, share: proof.share })) end(false);
      },
      () => end(false),
    );
    return promise;
  }
}
