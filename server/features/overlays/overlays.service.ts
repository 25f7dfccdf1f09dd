/**
 * Overlays for a device or a group (resource API, Overlay). server/realtime stores which overlay each screen shows, and
 * until when.
 */

import { notFound } from '../../../shared/contract/errors.ts';
import type { NewOverlay, OverlayResult } from '../../../shared/contract/screens/overlays.ts';
import type { ActivityAction } from '../../../shared/contract/server/activity.ts';
import { announce } from '../../kernel/bus.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import type { Overlays } from '../../realtime/screens/overlays.ts';
import type { DevicesService } from '../devices/devices.service.ts';
import type { GroupsService } from '../groups/groups.service.ts';

export interface Delivered {
  readonly success: true;
  readonly target: 'device' | 'group';
  /** Number of players that were reached, regardless of their answers. */
  readonly sent: number;
  readonly offline: number;
  readonly total: number;
  readonly results: OverlayResult[];
}

interface Deps extends Pick<Parts, 'db' | 'bus' | 'activity'> {
  readonly devices: Pick<DevicesService, 'nameOf'>;
  readonly groups: Pick<GroupsService, 'target'>;
  readonly overlays: Pick<Overlays, 'show' | 'clear'>;
}

export class OverlaysService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async show(actor: WorkspaceActor, body: NewOverlay): Promise<Delivered & { pip_id: string }> {
    const to = this.#target(actor, body.device_id);
    const pip_id = newId();
    const what = body.title || body.type;
    this.#record(actor, 'overlay.shown', to.target === 'group' ? `${what}: ${to.name}` : what, to);
    const results = await this.#deps.overlays.show(actor.workspaceId, to.deviceIds, {
      pip_id,
      kind: body.type,
      uri: body.uri,
      position: body.position,
      width: body.width,
      height: body.height,
      duration: body.duration,
      ...(body.title && { title: body.title }),
      ...(body.title_color && { title_color: body.title_color }),
      ...(body.background_color && { background_color: body.background_color }),
      opacity: body.opacity,
      border_radius: body.border_radius,
      close_button: body.close_button ?? false,
    });
    return { ...counted(to.target, results), pip_id };
  }

  async clear(actor: WorkspaceActor, targetId: string, pipId: string | undefined): Promise<Delivered> {
    const to = this.#target(actor, targetId);
    this.#record(actor, 'overlay.cleared', to.name, to);
    return counted(to.target, await this.#deps.overlays.clear(actor.workspaceId, to.deviceIds, pipId));
  }

  #target(
    actor: WorkspaceActor,
    id: string,
  ): { target: 'device' | 'group'; name: string; deviceIds: readonly string[] } {
    const name = this.#deps.devices.nameOf(actor.workspaceId, id);
    if (name !== undefined) return { target: 'device', name, deviceIds: [id] };
    const group = this.#deps.groups.target(actor.workspaceId, id);
    if (!group) throw notFound('Device or group');
    return { target: 'group', name: group.name, deviceIds: group.memberIds };
  }

  #record(
    actor: WorkspaceActor,
    action: ActivityAction,
    details: string,
    to: { target: string; deviceIds: readonly string[] },
  ): void {
    this.#deps.db.write(() => {
      this.#deps.activity.add({
        workspaceId: actor.workspaceId,
        actor,
        action,
        details,
        deviceId: to.target === 'device' ? to.deviceIds[0]! : null,
      });
      announce(this.#deps, actor, { topic: 'overlays', ids: to.deviceIds });
    });
  }
}

const counted = (target: 'device' | 'group', results: OverlayResult[]): Delivered => {
  const offline = results.filter((r) => r.status === 'offline').length;
  return { success: true, target, sent: results.length - offline, offline, total: results.length, results };
};
