/** For tests: campaigns on top of headquarters' parts, with a library of a few published playlists. */
import type { TestContext } from 'node:test';
import { DesiredDoc } from '../../../shared/chain/campaign.ts';
import type { CampaignBody } from '../../../shared/contract/headquarters/campaigns.ts';
import { zoneOf } from '../../../shared/program/zones.ts';
import type { Ending } from '../../../test/harness.ts';
import type { Database } from '../../db/database.ts';
import { announce } from '../../kernel/bus.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import { newKey } from '../../store-link/testing/journal.ts';
import { CampaignLibraryStore } from '../campaigns/campaign-library.store.ts';
import { CampaignNeedsService } from '../campaigns/campaign-needs.service.ts';
import { CampaignsService } from '../campaigns/campaigns.service.ts';
import { CampaignsStore } from '../campaigns/campaigns.store.ts';
import { LateStarts } from '../campaigns/late-starts.ts';
import type { KnownStore } from '../plays/segment-writer.ts';
import { DesiredStatesStore } from '../transport/desired-states.store.ts';
import { DesiredStates } from '../transport/desired-states.ts';
import { Downlink } from '../transport/downlink.ts';
import { type hqOver, openHq, sha256, silent } from './rig.ts';

export const actorOf = (userId: string, more: Partial<Actor> = {}): Actor => ({
  via: 'session',
  userId,
  userName: userId,
  email: `${userId}@hq.test`,
  platformRole: 'user',
  mustChangePassword: false,
  confinedTo: null,
  workspaceId: 'hq',
  organizationId: 'hq',
  workspaceRole: 'workspace_editor',
  organizationRole: null,
  limits: null,
  regions: null,
  approves: false,
  needsApproval: false,
  scope: 'full',
  credentialHash: '',
  ip: '',
  ...more,
});
export const ANNA = actorOf('anna');
export const PAGE = { limit: 100, offset: 0 };
export const EVERYWHERE: CampaignBody['where'] = { regions: [], tags: [], store_ids: [] };

export const bodyOf = (more: Partial<CampaignBody> = {}): CampaignBody => ({
  ...{ name: 'Sale', note: '', rank: 'must', playlist_id: 'loop', layout_id: null, whole_screen: false },
  ...{ start_time: '2026-11-27T09:00', end_time: '2026-11-27T18:00', recurrence: null, recurrence_end: null },
  ...{ begins: 'whole', where: EVERYWHERE, screen_tags: [], slots: [] },
  ...more,
});

/** Stores a file with this text in the media store. Returns its hash. */
export const addFile = (db: Database, text: string): string => {
  const hash = sha256(text);
  db.raw
    .prepare("INSERT OR IGNORE INTO blobs (sha256, size, mime, created_at) VALUES (?, ?, 'image/png', 0)")
    .run(hash, Buffer.byteLength(text));
  return hash;
};
/** @param text content of its file; null: the file is missing */
export const addContent = (db: Database, id: string, text: string | null = id, workspaceId = 'hq'): void => {
  const sha = text === null ? null : addFile(db, text);
  db.raw
    .prepare(
      "INSERT INTO content (id, workspace_id, filename, mime_type, kind, sha256, created_at, updated_at) VALUES (?, ?, ?, 'image/png', 'image', ?, 0, 0)",
    )
    .run(id, workspaceId, `${id}.png`, sha);
};
/** Adds a published playlist. */
export const addPlaylist = (db: Database, id: string, contents: readonly string[], workspaceId = 'hq'): void => {
  db.raw
    .prepare(
      "INSERT INTO playlists (id, workspace_id, name, status, published_ms, created_at, updated_at) VALUES (?, ?, ?, 'published', 5, 0, 0)",
    )
    .run(id, workspaceId, id);
  setItems(db, id, contents);
};
export const setItems = (db: Database, playlist: string, contents: readonly string[]): void => {
  db.raw.prepare('DELETE FROM published_items WHERE playlist_id = ?').run(playlist);
  for (const [i, content] of contents.entries())
    db.raw
      .prepare(
        'INSERT INTO published_items (id, playlist_id, content_id, sort_order, duration_sec) VALUES (?, ?, ?, ?, 10)',
      )
      .run(i, playlist, content, i);
};

export const openCampaigns = (t: TestContext) => {
  const hq = openHq(t);
  hq.db.write(() => {
    for (const id of ['sale', 'logo']) addContent(hq.db, id);
    addPlaylist(hq.db, 'loop', ['sale', 'logo']);
  });
  return { ...hq, ...campaignsOver(t, hq) };
};

/** @param key key of headquarters */
export const campaignsOver = (
  t: Ending,
  { db, parts, registry, stores }: ReturnType<typeof hqOver>,
  key = newKey(),
) => {
  const notes: string[] = [];
  const told: string[] = [];
  parts.bus.on('changed', ({ workspaceId, topic }) => told.push(`${workspaceId} ${topic}`));
  const downlink = new Downlink({ ...parts, registry });
  t.after(() => downlink.stop());
  const desiredStatesStore = new DesiredStatesStore(db);
  const zone = () => zoneOf('Europe/Berlin');
  const store = new CampaignsStore(db);
  /** Has no timers, so it checks only when a test calls it. */
  const late = new LateStarts({ ...parts, store, registry, zone });
  const openDesiredStates = (over = downlink): DesiredStates => {
    const made = new DesiredStates({
      ...parts,
      store: desiredStatesStore,
      registry,
      downlink: over,
      identity: key,
      log: silent,
      late,
    });
    t.after(() => made.stop());
    return made;
  };
  const desiredStates = openDesiredStates();
  desiredStates.start();
  const campaigns = new CampaignsService({
    ...parts,
    store,
    library: new CampaignLibraryStore(db),
    registry,
    running: desiredStates,
    late,
    zone,
    activity: { add: ({ action, actor, details }) => notes.push(`${actor?.userName} ${action} ${details}`) },
  });
  const needs = new CampaignNeedsService({ store, registry, late });
  /** Changes the library and announces the change on the event bus. */
  const changeLibrary = async (change: () => void): Promise<void> => {
    db.write(() => {
      change();
      announce(parts, { workspaceId: 'hq', userId: null }, { topic: 'playlists' });
    });
    await db.durable();
  };
  /** Changes the region or tags of a store. */
  const changeStore = async (store: KnownStore, said: { region?: string; tags?: string[] }): Promise<void> => {
    db.write(() => {
      const place = { latitude: null, longitude: null };
      stores.update(store.id, { name: store.ref, region: '', tags: [], note: '', ...place, ...said });
      registry.refresh(store.id);
      announce(parts, { workspaceId: store.workspaceId, userId: null }, { topic: 'stores', ids: [store.ref] });
    });
    await settled();
  };
  const settled = async (): Promise<void> => {
    await db.durable();
    await desiredStates.idle();
  };
  /** Creates and starts a campaign, also when stores lack values. */
  const running = async (more: Partial<CampaignBody> = {}): Promise<string> => {
    const { id } = campaigns.create(ANNA, bodyOf(more)).record;
    campaigns.start(ANNA, id, undefined, { lacking: true });
    await settled();
    return id;
  };
  /** Returns the desired state of a store, parsed as the store would parse it. */
  const desiredOf = (store: Pick<KnownStore, 'id'>, over = desiredStates) => {
    const signed = over.newer(store, 0);
    return signed && DesiredDoc.parse(JSON.parse(signed.text));
  };
  const wantedOf = (store: Pick<KnownStore, 'id'>) =>
    desiredOf(store)?.campaigns.map(({ id, edition }) => [id, edition]) ?? [];
  return {
    ...{ key, downlink, late, needs, desiredStates, desiredStatesStore, openDesiredStates, campaigns, notes, told },
    ...{ changeLibrary, changeStore, settled, running, desiredOf, wantedOf },
  };
};
