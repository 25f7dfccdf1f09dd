/** Pure functions that interpret the database row of a campaign. */
import type { DecidedCampaign } from './campaign-document.ts';
import type { CampaignRow } from './campaigns.store.ts';

export const isLive = (row: CampaignRow): row is CampaignRow & { readonly edition: number } =>
  row.edition !== null && row.stopped_at === null;

/** Returns the values of the columns for a campaign that does not wait for approval. */
export const atRest = (row: CampaignRow): Pick<CampaignRow, 'state' | 'asked_by' | 'asked_by_id' | 'asked_sha256'> => ({
  state: isLive(row) ? 'running' : row.edition === null ? 'draft' : 'stopped',
  asked_by: null,
  asked_by_id: null,
  asked_sha256: null,
});

export const decidedOf = ({ id, name, note, rank, body }: CampaignRow): DecidedCampaign => ({
  id,
  name,
  note,
  rank,
  ...(JSON.parse(body) as Omit<DecidedCampaign, 'id' | 'name' | 'note' | 'rank'>),
});

export const columnsOf = ({ id, name, note, rank, ...rest }: DecidedCampaign) => ({
  id,
  name,
  note,
  rank,
  body: JSON.stringify(rest),
});
