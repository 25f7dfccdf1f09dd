/** Signed-in players by device and workspace. A message to many players is serialized once. */
import type { ServerMessage } from '../../../shared/protocol/messages.ts';
import { textFrame } from './frame.ts';
import type { PlayerSocket } from './player-socket.ts';

export class PlayerHub {
  readonly #byDevice = new Map<string, PlayerSocket>();
  readonly #byWorkspace = new Map<string, Set<string>>();

  /** Adds a connection. Returns the connection of the same device that it replaces, if any. */
  add(socket: PlayerSocket): PlayerSocket | undefined {
    const former = this.#byDevice.get(socket.deviceId);
    this.#byDevice.set(socket.deviceId, socket);
    let workspace = this.#byWorkspace.get(socket.workspaceId);
    if (!workspace) this.#byWorkspace.set(socket.workspaceId, (workspace = new Set()));
    workspace.add(socket.deviceId);
    return former === socket ? undefined : former;
  }

  /** Removes a connection. Returns false when another connection of the device has replaced it. */
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

  /** Sends a message, given as object, text or frame. Returns false when the device is not connected. */
  send(deviceId: string, message: ServerMessage | string | Buffer): boolean {
    return this.#byDevice.get(deviceId)?.sendMessage(message) ?? false;
  }

  /** Sends the same message to all given devices. Returns the number of reached devices. */
  sendAll(deviceIds: Iterable<string>, message: ServerMessage): number {
    const frame = textFrame(JSON.stringify(message));
    let reached = 0;
    for (const deviceId of deviceIds) if (this.send(deviceId, frame)) reached++;
    return reached;
  }
}
