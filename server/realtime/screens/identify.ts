/**
 * Makes screens show their names, so that a person can tell them apart. Nothing is stored, because the person stands in
 * front of the screens.
 */
import type { IdentifyResult } from '../../../shared/contract/screens/devices.ts';
import type { PlayerHub } from '../players/player-hub.ts';
import type { PlayersStore } from '../players/players.store.ts';
import type { LiveRegistry } from '../state/live-registry.ts';

interface Deps {
  readonly hub: PlayerHub;
  readonly registry: Pick<LiveRegistry, 'get'>;
  readonly players: PlayersStore;
}

export class Identify {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Asks each screen to show its name. Returns one result per device of the workspace, in the given order. Devices of
   * other workspaces are omitted.
   */
  send(workspaceId: string, deviceIds: readonly string[], seconds: number): IdentifyResult[] {
    return this.#deps.players
      .names(workspaceId, deviceIds)
      .map(({ id, name }) => ({ device_id: id, name, status: this.#tell(id, seconds) }));
  }

  #tell(id: string, seconds: number): IdentifyResult['status'] {
    const { hub, registry, players } = this.#deps;
    if (!hub.get(id)) return 'offline';
    const capabilities = JSON.parse(registry.get(id)?.info.capabilities ?? '[]') as string[];
    // Old players that do not know this message are left out, because they would close the connection.
    if (!capabilities.includes('identify')) return 'unsupported';
    return hub.send(id, { type: 'identify', seconds, groups: players.groupNames(id) }) ? 'sent' : 'offline';
  }
}
