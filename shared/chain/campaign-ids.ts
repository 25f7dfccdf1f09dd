/**
 * What a campaign’s playlists, layouts and zones are called in stores: each under an id that begins with the campaign’s
 * own, so that a play says which campaign it is of.
 */

/** Of a campaign. */
export const CAMPAIGN_ID_LENGTH = 36;
const OF_CAMPAIGN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}-./;

/** @param what of the campaign it is */
export const idInCampaign = (campaign: string, what: string): string => `${campaign}-${what}`;

/**
 * The campaign that a play is of. Its playlist says so, also of what a store put into a place of it; where it is of
 * none, the zone does.
 */
export const campaignOf = ({
  playlist_id,
  zone_id,
}: {
  readonly playlist_id: string | null;
  readonly zone_id: string | null;
}): string | undefined => {
  const id = playlist_id ?? zone_id;
  return id !== null && id.length > CAMPAIGN_ID_LENGTH && OF_CAMPAIGN.test(id)
    ? id.slice(0, CAMPAIGN_ID_LENGTH)
    : undefined;
};
