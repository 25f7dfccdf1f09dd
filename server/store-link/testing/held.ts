/** Puts campaigns of headquarters into a workspace of a running server, as its link would, without a connection. */
import { createHash } from 'node:crypto';
import { type CampaignDoc, type CampaignItem, desiredText } from '../../../shared/chain/campaign.ts';
import type { Site } from '../../../test/harness.ts';
import type { Call } from '../../../test/people.ts';
import { Bus } from '../../kernel/bus.ts';
import { CampaignsStore } from '../campaigns/campaigns.store.ts';
import { DesiredState } from '../campaigns/desired-state.ts';
import { ChainStore } from '../membership/chain.store.ts';
import { Incidents } from '../membership/incidents.ts';
import { newKey } from './journal.ts';

const SPKI = '302a300506032b6570032100';

export const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

type Content = CampaignDoc['contents'][number];

/** @param file a file that the store has or will receive */
export const contentOf = (id: string, file: Content['file'], more: Partial<Content> = {}): Content => ({
  id,
  filename: `${id}.gif`,
  mime_type: 'image/gif',
  kind: 'image',
  duration_sec: null,
  width: 1,
  height: 1,
  remote_url: null,
  file,
  thumbnail: null,
  valid_from: null,
  valid_until: null,
  ...more,
});

export const itemOf = (more: Partial<CampaignItem>): CampaignItem => ({
  content_id: null,
  widget_id: null,
  zone_id: null,
  duration_sec: 10,
  muted: false,
  blocks: [],
  transition: null,
  valid_from: null,
  valid_until: null,
  ...more,
});

/**
 * Returns a campaign for every screen, with a slot for the bakery, which fits two items, 30 s, images and videos.
 * @param mark suffix of each id, for several workspaces on one server
 */
export const adventOf = (file: Content['file'], more: Partial<CampaignDoc> = {}, mark = ''): CampaignDoc => ({
  vitrine: 'campaign',
  version: 1,
  id: `advent${mark}`,
  name: 'Advent',
  edition: 1,
  made_ms: 1,
  rank: 'must',
  screen_tags: [],
  start_time: '2026-03-01T00:00:00',
  end_time: '2026-12-24T20:00:00',
  recurrence: null,
  recurrence_end: null,
  begins: 'whole',
  playlist_id: `advent-list${mark}`,
  layout_id: null,
  contents: [contentOf(`star${mark}`, file, { filename: 'Star.gif' })],
  widgets: [
    {
      id: `advent-clock${mark}`,
      widget_type: 'clock',
      name: 'Advent clock',
      config: {},
      valid_from: null,
      valid_until: null,
    },
  ],
  playlists: [
    {
      id: `advent-list${mark}`,
      name: 'Advent playlist',
      description: '',
      published_ms: 1_000,
      transition: null,
      items: [
        itemOf({ content_id: `star${mark}` }),
        itemOf({
          content_id: `star${mark}`,
          slot: {
            id: `bakery${mark}`,
            name: 'Bakery’s offer',
            max_items: 2,
            max_seconds: 30,
            kinds: ['image', 'video'],
          },
        }),
        itemOf({ widget_id: `advent-clock${mark}` }),
      ],
    },
  ],
  layouts: [
    {
      id: `advent-layout${mark}`,
      name: 'Advent layout',
      width: 1920,
      height: 1080,
      zones: [
        {
          id: `advent-zone${mark}`,
          name: 'Picture',
          x_percent: 0,
          y_percent: 0,
          width_percent: 100,
          height_percent: 100,
          z_index: 0,
          zone_type: 'content',
          fit_mode: 'contain',
          background_color: '#000000',
          content_id: `star${mark}`,
          widget_id: null,
          playlist_id: null,
        },
      ],
    },
  ],
  ...more,
});

export interface Hold {
  /**
   * Makes these campaigns the ones that headquarters wants the store to show, and delivers their documents. Files of the
   * campaigns are not delivered: only files that the store already has can be shown.
   */
  want(docs: readonly CampaignDoc[]): Promise<void>;
  readonly desired: DesiredState;
  leave(): Promise<void>;
}

export const holdIn = (site: Pick<Site, 'app'>, workspaceId: string, call: Call, now = Date.now): Hold => {
  const { db } = site.app;
  const hq = newKey();
  const key = SPKI + hq.key;
  const links = new ChainStore(db);
  const parts = { db, bus: new Bus(() => {}), clock: { now }, activity: { add: () => {} } };
  db.write(() =>
    links.insert({
      workspace_id: workspaceId,
      store: `store-${workspaceId}`,
      name: 'Mill',
      address: 'https://127.0.0.1:1',
      headquarters: 'HQ',
      key,
      certificate: '',
      enrolled_at: 1,
      enrolled_by: 'Olga',
      may: null,
      lets_update: 0,
      ...{ seal_key: null, stick_in: 0, stick_out: 0 },
    }),
  );
  const desired = new DesiredState({
    ...parts,
    store: new CampaignsStore(db),
    incidents: new Incidents({ ...parts, store: links }),
    workspaceId,
    storeRef: `store-${workspaceId}`,
    key,
    timezone: () => 'UTC',
  });
  let rev = 0;
  // Creates and deletes a playlist, so that the running server reads its programs from the database again.
  const refresh = async () => {
    const { id } = (await call('POST', '/api/playlists', { name: 'Passing' })).body;
    await call('DELETE', `/api/playlists/${id}`);
  };
  return {
    desired,
    want: async (docs) => {
      const texts = docs.map((doc) => JSON.stringify(doc));
      const campaigns = docs.map(({ id, edition }, i) => ({
        ...{ id, edition },
        sha256: sha256(texts[i]!),
        bytes: Buffer.byteLength(texts[i]!),
      }));
      const state = {
        vitrine: 'desired',
        version: 1,
        store: `store-${workspaceId}`,
        rev: ++rev,
        issued_ms: 1,
        campaigns,
      };
      const text = JSON.stringify(state);
      desired.accept({ text, signature: hq.sign(desiredText(text)) });
      for (const [i, { id }] of docs.entries()) desired.documentCame(id, Buffer.from(texts[i]!));
      await refresh();
    },
    leave: async () => {
      db.write(() => links.delete(workspaceId));
      await refresh();
    },
  };
};
