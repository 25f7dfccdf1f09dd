/** Merges all campaigns of a store into one set of library records. Pure, so that tests can try every combination. */
import {
  blobsOf,
  type CampaignContent,
  type CampaignDoc,
  type CampaignItem,
  type CampaignLayout,
  type CampaignPlaylist,
  type SlotLimits,
} from '../../../shared/chain/campaign.ts';

type CampaignWidget = CampaignDoc['widgets'][number];

/** Library records of all campaigns. Each record is listed once, with the campaign that it belongs to. */
export interface Combined {
  readonly contents: readonly Owned<CampaignContent>[];
  readonly widgets: readonly Owned<CampaignWidget>[];
  readonly playlists: readonly Owned<CampaignPlaylist>[];
  readonly layouts: readonly Owned<CampaignLayout>[];
  readonly slots: readonly { readonly id: string; readonly campaign: string; readonly limits: SlotLimits }[];
}
export interface Owned<T> {
  readonly campaign: string;
  readonly record: T;
}

/** Merges lists of records. If several campaigns contain a record, the record of the last campaign is returned. */
const onceEach = <T extends { readonly id: string }>(
  docs: readonly CampaignDoc[],
  of: (doc: CampaignDoc) => readonly T[],
): Owned<T>[] => [
  ...new Map(docs.flatMap((doc) => of(doc).map((record) => [record.id, { campaign: doc.id, record }]))).values(),
];

/**
 * @param isHere whether a file has been received. Content without its file is left out (campaigns that begin in parts).
 */
export const combine = (docs: readonly CampaignDoc[], isHere: (sha256: string) => boolean): Combined => {
  const whole = new Set(docs.filter((doc) => blobsOf(doc).every(({ sha256 }) => isHere(sha256))));
  // A later edition replaces records of an earlier edition, but an incomplete campaign never replaces records of a
  // complete campaign.
  const ordered = docs.toSorted(
    (a, b) => Number(whole.has(a)) - Number(whole.has(b)) || a.made_ms - b.made_ms || (a.id < b.id ? -1 : 1),
  );
  const contents = onceEach(ordered, (doc) => doc.contents)
    .filter(({ record: { file } }) => file === null || isHere(file.sha256))
    .map(({ campaign, record }) => ({ campaign, record: { ...record, thumbnail: here(record, isHere) } }));
  const known = new Set(contents.map(({ record }) => record.id));
  const kept = (id: string | null): string | null => (id !== null && known.has(id) ? id : null);
  const itemOf = (item: CampaignItem): CampaignItem[] => {
    const content_id = kept(item.content_id);
    const isEmpty = content_id === null && item.widget_id === null && item.slot === undefined;
    return isEmpty ? [] : [{ ...item, content_id }];
  };
  const playlists = onceEach(ordered, (doc) => doc.playlists).map(({ campaign, record }) => ({
    campaign,
    record: { ...record, items: record.items.flatMap(itemOf) },
  }));
  const layouts = onceEach(ordered, (doc) => doc.layouts).map(({ campaign, record }) => ({
    campaign,
    record: { ...record, zones: record.zones.map((zone) => ({ ...zone, content_id: kept(zone.content_id) })) },
  }));
  const slots = playlists.flatMap(({ campaign, record }) =>
    record.items.flatMap(({ slot }) => {
      if (!slot) return [];
      const { id, ...limits } = slot;
      return [{ id, campaign, limits }];
    }),
  );
  return { contents, widgets: onceEach(ordered, (doc) => doc.widgets), playlists, layouts, slots };
};

const here = ({ thumbnail }: CampaignContent, isHere: (sha256: string) => boolean) =>
  thumbnail !== null && isHere(thumbnail.sha256) ? thumbnail : null;
