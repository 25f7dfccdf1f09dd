/** The players that are signed in, by device and by workspace. What is said to many is serialized once. */
import type { ServerMessage } from '../../shared/protocol/messages.ts';
import { textFrame } from './frame.ts';
import type { PlayerSocket } from './player-socket.ts';

export class PlayerHub {
  readonly #byDevice = new Map<string, PlayerSocket>();
  readonly #byWorkspace = new Map<string, Set<string>>();

  /** The connection that it replaces, if there is one. */
  add(socket: PlayerSocket): PlayerSocket | undefined {
    const former = this.#byDevice.get(socket.deviceId);
    this.#byDevice.set(socket.deviceId, socket);
    let workspace = this.#byWorkspace.get(socket.workspaceId);
    if (!workspace) this.#byWorkspace.set(socket.workspaceId, (workspace = new Set()));
    workspace.add(socket.deviceId);
    return former === socket ? undefined : former;
  }

  /** False when another connection of the device has taken its place. */
  remove(socket: PlayerSocket): boolean {
    if (this.#byDevice.get(socket.deviceId) !== socket) return false;
    this.#byDevice.delete(socket.deviceId);
    const workspace = this.#byWorkspace.get(socket.workspaceId);
    workspace?.delete(socket.deviceId);
    if (workspace?.size === 0) this.#byWorkspace.delete(socket.workspaceId);
    return true;
  }

  get(deviceId: string): PlayerSocket | undefined {
    return this.#byDevice.get(deviceId);
  }

  get size(): number {
    return this.#byDevice.size;
  }

  all(): Iterable<PlayerSocket> {
    return this.#byDevice.values();
  }

  connected(workspaceId: string): Iterable<string> {
    return this.#byWorkspace.get(workspaceId) ?? [];
  }

  /** A message, its text, or its frame. False when the device is not connected. */
  say(deviceId: string, message: ServerMessage | string | Buffer): boolean {
    return this.#byDevice.get(deviceId)?.say(message) ?? false;
  }

  /** The same to each of these devices; how many it reached. */
  sayAll(deviceIds: Iterable<string>, message: ServerMessage): number {
    const frame = textFrame(JSON.stringify(message));
    let reached = 0;
    for (const deviceId of deviceIds) if (this.say(deviceId, frame)) reached++;
    return reached;
  }
}
