import type { Bus } from '../../kernel/bus.ts';
import { recent } from '../../kernel/time/recent.ts';
import type { DeviceActor } from '../../kernel/trust/actor.ts';
import type { PlayersStore } from './players.store.ts';
import { provesIdentity } from './secret-guard.ts';

const CREDENTIAL = /^Bearer ([^\s.]{1,200})\.([0-9a-f]{64})$/;
const MAX_CACHED = 10_000;

interface Deps {
  readonly store: PlayersStore;
  readonly bus: Bus;
}

/** Authenticates HTTP requests of players: `Authorization: Bearer <device_id>.<secret hex>` (player protocol). */
export class DeviceAuth {
  readonly #deps: Deps;
  readonly #known = recent<string, { readonly workspace_id: string; readonly secret_hash: string }>(MAX_CACHED);

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.bus.on('deviceRemoved', ({ deviceId }) => this.#known.delete(deviceId));
    deps.bus.on('workspaceGone', () => this.#known.clear());
  }

  /** Returns the device of a valid credential; undefined for anything else. */
  actor(authorization: string | undefined, ip: string): DeviceActor | undefined {
    const parsed = CREDENTIAL.exec(authorization ?? '');
    if (!parsed) return undefined;
    const [, deviceId, secret] = parsed as unknown as [string, string, string];
    const known = this.#known.get(deviceId) ?? this.#remember(deviceId);
    return provesIdentity(secret, known?.secret_hash) ? { deviceId, workspaceId: known!.workspace_id, ip } : undefined;
  }

  #remember(deviceId: string) {
    const found = this.#deps.store.credential(deviceId);
    if (!found) return undefined;
    this.#known.set(deviceId, found);
    return found;
  }
}
